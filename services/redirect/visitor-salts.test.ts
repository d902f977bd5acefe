import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Engines, startEngines } from '../../dev/engines.js';
import { createLog } from '../../runtime/log.js';
import { Mongo } from '../../runtime/mongo.js';
import { RedirectStore } from './store.js';
import { VisitorSalts } from './visitor-salts.js';

const WITHIN = { timeout: 15_000, interval: 50 };
const OTHERS = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };
let directory: string;
let engines: Engines;
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-salts-'));
  engines = await startEngines({ dataDir: directory, external: OTHERS, log: () => undefined });
}, 60_000);

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

afterAll(async () => {
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
}, 30_000);

/** The salts as another process would hold them. */
function start(database: string): VisitorSalts {
  const url = engines.mongodbUrl;
  const mongo = new Mongo({ url, database, timeoutMs: 3_000, commitWaitMs: 3_000, appName: 'test' });
  const salts = new VisitorSalts(new RedirectStore(mongo), createLog('test', 'silent'));
  salts.start();
  stops.push(async () => {
    await salts.stop();
    await mongo.stop();
  });
  return salts;
}

test('pods that start at the same moment agree on one secret', async () => {
  const now = Date.now();
  const pods = Array.from({ length: 8 }, () => start('race'));
  await expect.poll(() => pods.every((pod) => pod.at(now)), WITHIN).toBe(true);
  expect(new Set(pods.map((pod) => pod.at(now)?.secret.export().toString('hex'))).size).toBe(1);
  expect(pods[0]?.at(now)?.secret.symmetricKeySize).toBe(32);
});

test('tomorrow’s salt is another, is there an hour before midnight, and yesterday’s is forgotten', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1, 12) });
  const salts = start('midnight');
  const [today, tomorrow] = [Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 2)];
  await expect.poll(() => salts.at(today)?.id, WITHIN).toBe('2030-01-01');
  expect(salts.at(tomorrow)).toBeUndefined();
  vi.setSystemTime(Date.UTC(2030, 0, 1, 23, 30));
  await expect.poll(() => salts.at(tomorrow)?.id, WITHIN).toBe('2030-01-02');
  expect(salts.at(today)?.secret.export()).not.toEqual(salts.at(tomorrow)?.secret.export());
  vi.setSystemTime(Date.UTC(2030, 0, 2, 0, 1));
  await expect.poll(() => salts.at(today), WITHIN).toBeUndefined();
  expect(salts.at(tomorrow)?.id).toBe('2030-01-02');
});

test('the database deletes a salt two days after its day began', async () => {
  const now = Date.now();
  const salts = start('expiry');
  await expect.poll(() => salts.at(now), WITHIN).toBeDefined();
  const client = await MongoClient.connect(engines.mongodbUrl);
  stops.push(() => client.close());
  const collection = client.db('expiry').collection<{ _id: string; expiresAt: Date }>('salts');
  const [{ _id = '', expiresAt = new Date(0) } = {}] = await collection.find().toArray();
  expect(expiresAt.getTime()).toBe(Date.parse(_id) + 2 * 86_400_000);
  await expect
    .poll(() => collection.indexes(), WITHIN)
    .toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
});

test('without MongoDB there is no salt, and there is one once it is back', async () => {
  engines.mongod?.kill('SIGSTOP');
  let salts: VisitorSalts;
  try {
    salts = start('away');
    expect(salts.at(Date.now())).toBeUndefined();
  } finally {
    engines.mongod?.kill('SIGCONT');
  }
  await expect.poll(() => salts.at(Date.now()), WITHIN).toBeDefined();
});
