import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Engines, startEngines } from '../dev/engines.js';
import { type FaultProxy, startFaultProxy } from '../dev/fault-proxy.js';
import { Lease } from './lease.js';
import { createLog } from './log.js';
import { Mongo } from './mongo.js';

const TTL_MS = 600;
const WITHIN = { timeout: 5_000, interval: 10 };
const OTHERS = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };

let directory: string;
let engines: Engines;
let observer: MongoClient;
/** Each test has a lease of its own. */
let name = 0;
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-lease-'));
  engines = await startEngines({ dataDir: directory, external: OTHERS, log: () => undefined });
  observer = await MongoClient.connect(engines.mongodbUrl);
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
  name++;
});

afterAll(async () => {
  await observer.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Holder {
  mongo: Mongo;
  lease: Lease;
  /** The holder's way to the database. */
  proxy: FaultProxy;
}

/** A process that wants the lease, with a way to the database that can be cut for it alone. */
async function holder(ttlMs = TTL_MS): Promise<Holder> {
  const proxy = await startFaultProxy(engines.mongod?.port ?? 0);
  const mongo = new Mongo({
    url: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`,
    database: 'test',
    timeoutMs: 1_000,
    commitWaitMs: 1_000,
    appName: 'lease-test',
  });
  const lease = new Lease(mongo.db, { name: String(name), ttlMs, log: createLog('test', 'silent') });
  stops.push(
    () => proxy.stop(),
    () => mongo.stop(),
    () => lease.stop(),
  );
  return { mongo, lease, proxy };
}

function leases() {
  return observer.db('test').collection<Document & { _id: string }>('leases');
}

async function stored(): Promise<Document | null> {
  return leases().findOne({ _id: String(name) });
}

/** A write under the lease, as the relay makes it. */
function confirmed({ mongo, lease }: Holder, between?: () => Promise<unknown>): Promise<boolean> {
  return mongo
    .transaction(async (session) => {
      await lease.confirm(session);
      await between?.();
      await mongo.db.collection('writes').insertOne({ lease: name }, { session });
    })
    .then(
      () => true,
      () => false,
    );
}

test('the first to come holds the lease, and keeps it while it renews', async () => {
  const [one, two] = [await holder(), await holder()];
  await one.lease.start();
  expect(one.lease.held).toBe(true);
  await two.lease.start();
  const end = performance.now() + 2 * TTL_MS;
  while (performance.now() < end) {
    expect(one.lease.held).toBe(true);
    expect(two.lease.held).toBe(false);
    await delay(10);
  }
  expect(await confirmed(one)).toBe(true);
  expect(await confirmed(two)).toBe(false);
});

test('of many that start at once one holds it', async () => {
  const holders = await Promise.all(Array.from({ length: 5 }, () => holder()));
  await Promise.all(holders.map(({ lease }) => lease.start()));
  await expect.poll(() => holders.filter(({ lease }) => lease.held).length, WITHIN).toBe(1);
  const outcomes = await Promise.all(holders.map((each) => confirmed(each)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
});

test('two never hold it at the same time, while each is cut off and comes back again and again', async () => {
  const holders = [await holder(), await holder()];
  for (const { lease } of holders) await lease.start();
  let owners = 0;
  let last = -1;
  let cut = 0;
  const end = performance.now() + 4_000;
  while (performance.now() < end && owners < 5) {
    const held = holders.map(({ lease }) => lease.held);
    expect(held.filter(Boolean).length).toBeLessThan(2);
    const owner = held.indexOf(true);
    if (owner >= 0 && owner !== last) {
      owners++;
      last = owner;
      holders[cut]?.proxy.setFault({ kind: 'none' });
      holders[owner]?.proxy.setFault({ kind: 'drop' });
      cut = owner;
    }
    await delay(1);
  }
  expect(owners).toBeGreaterThanOrEqual(3);
  expect((await stored())?.fence).toBeGreaterThanOrEqual(owners);
});

test('the fence grows with each change of owner, and with nothing else', async () => {
  const one = await holder();
  await one.lease.start();
  const first = await stored();
  expect(first?.fence).toBe(1);
  await expect.poll(async () => (await stored())?.until > first?.until, WITHIN).toBe(true);
  expect((await stored())?.fence).toBe(1);
  await one.lease.stop();
  const two = await holder();
  await two.lease.start();
  expect(await stored()).toMatchObject({ fence: 2 });
  await two.lease.stop();
  const three = await holder();
  await three.lease.start();
  expect(await stored()).toMatchObject({ fence: 3 });
});

test('one whose renewals have stopped lets go by its own clock, and cannot confirm after another took over', async () => {
  const one = await holder();
  await one.lease.start();
  expect(await confirmed(one)).toBe(true);
  // Its renewals are lost; its own writes get through again later.
  one.proxy.setFault({ kind: 'drop' });
  const two = await holder();
  await two.lease.start();
  await expect.poll(() => two.lease.held, WITHIN).toBe(true);
  expect(one.lease.held).toBe(false);
  one.proxy.setFault({ kind: 'none' });
  await expect.poll(() => one.mongo.ping(), WITHIN).toBe(true);
  expect(await confirmed(one)).toBe(false);
  expect(await confirmed(two)).toBe(true);
});

test('a write whose transaction began under the lease is lost when another takes over before its commit', async () => {
  const one = await holder();
  await one.lease.start();
  // Not its first: what is confirmed already must be confirmed anew.
  expect(await confirmed(one)).toBe(true);
  let attempts = 0;
  const outcome = await confirmed(one, async () => {
    if (attempts++ > 0) return;
    // Another process, as the database sees it when this one has been paused for longer than the life of the lease.
    await leases()
      .updateOne(
        { _id: String(name) },
        { $set: { owner: 'another', until: new Date(Date.now() + 60_000) }, $inc: { fence: 1 } },
        { maxTimeMS: 300 },
      )
      .catch(() => undefined);
  });
  const now = await stored();
  // Either the takeover had to wait for the commit, or the commit failed.
  expect(outcome).toBe(now?.owner !== 'another');
});

test('a lease is released at once when its holder stops', async () => {
  const [one, two] = [await holder(60_000), await holder(300)];
  await one.lease.start();
  await two.lease.start();
  expect(two.lease.held).toBe(false);
  await one.lease.stop();
  expect(one.lease.held).toBe(false);
  await expect.poll(() => two.lease.held, { timeout: 1_000, interval: 5 }).toBe(true);
});

test('a renewal that is under way when the holder stops does not take the lease again', async () => {
  const one = await holder();
  await one.lease.start();
  one.proxy.setFault({ kind: 'delay', ms: 150 });
  const sent = one.proxy.taken.toServer;
  await expect.poll(() => one.proxy.taken.toServer, WITHIN).toBeGreaterThan(sent + 100);
  await one.lease.stop();
  expect(one.lease.held).toBe(false);
  expect((await stored())?.until).toEqual(new Date(0));
  one.proxy.setFault({ kind: 'none' });
});

test('a holder that stops while the database is away stops all the same, and lets go', async () => {
  const one = await holder();
  await one.lease.start();
  one.proxy.setFault({ kind: 'reset' });
  const began = performance.now();
  await one.lease.stop();
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(one.lease.held).toBe(false);
});

test('a database that is away at the start is waited for', async () => {
  const one = await holder();
  one.proxy.setFault({ kind: 'reset' });
  const started = one.lease.start();
  one.proxy.setFault({ kind: 'none' });
  await started;
  await expect.poll(() => one.lease.held, WITHIN).toBe(true);
});
