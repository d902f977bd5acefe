import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Document, Long, MongoClient } from 'mongodb';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Engines, startEngines } from '../../dev/engines.js';
import { type Click, ClickBatch } from '../../gen/proto/waypost/click/v1/click.js';
import { bucketOf } from '../../model/link-id.js';
import { clickSubject } from '../../runtime/streams.js';
import { partitionOf } from './click-batch.js';
import { type RunningRedirect, startRedirect } from './service.js';

/** A pod on the real engines; what the stream holds is read as the stats service would. */
const HOST = 's.example';
const TENANT = 'ten_1';
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
const WITHIN = { timeout: 20_000, interval: 100 };

let directory: string;
let engines: Engines;
let mongo: MongoClient;
let salts: Collection<Document & { _id: string }>;
let nats: NatsConnection;
let manager: JetStreamManager;
let pods: RunningRedirect[] = [];
let dataDir: string;
let runs = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-clicks-'));
  engines = await startEngines({ dataDir: join(directory, 'engines'), log: () => undefined });
  mongo = await MongoClient.connect(engines.mongodbUrl);
  const db = mongo.db('clicks_test');
  salts = db.collection('salts');
  const entry = { domainId: 'dom_1', tenantId: TENANT, groupId: 'grp_1', codeCase: 'SENSITIVE', rev: 1 };
  await db.collection<Document & { _id: string }>('hosts').insertOne({ _id: HOST, ...entry, changedAt: new Date() });
  const link = { tenantId: TENANT, redirectType: 302, risk: 'ALLOW', disabled: false, changedAt: new Date(0) };
  const key = { bucket: bucketOf('grp_1', 'hit'), groupId: 'grp_1', shortCode: 'hit' };
  const target = { targetUrl: 'https://target.example/', rev: 7, version: 3, _id: Long.fromBigInt(1n << 60n) };
  await db.collection<Document & { _id: Long }>('snapshots').insertOne({ ...link, ...key, ...target });
  nats = await connect({
    servers: engines.natsUrl.replace('nats://', ''),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  });
  manager = await nats.jetstreamManager();
}, 60_000);

beforeEach(async () => {
  dataDir = join(directory, `pod${runs++}`);
  await manager.streams.purge('CLICKS').catch(() => undefined);
});

afterEach(async () => {
  await Promise.all(pods.map((pod) => pod.stop()));
  pods = [];
});

afterAll(async () => {
  agent.destroy();
  await nats.close();
  await mongo.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
}, 30_000);

async function startPod(): Promise<RunningRedirect> {
  const pod = await startRedirect({
    address: '127.0.0.1:0',
    metricsAddress: '127.0.0.1:0',
    dataDir,
    staleMaxMs: 600_000,
    l1: { entries: 1_000, ttlMs: 30_000 },
    spoolBytes: 64 * 1024 * 1024,
    trustedProxies: ['127.0.0.1'],
    process: { development: false, logLevel: 'silent' },
    mongo: { url: engines.mongodbUrl, database: 'clicks_test', timeoutMs: 6_000, commitWaitMs: 5_000 },
    redis: { url: engines.redisUrl },
    nats: { url: engines.natsUrl, replicas: 1 },
  });
  pods.push(pod);
  return pod;
}

async function startReady(): Promise<RunningRedirect> {
  const pod = await startPod();
  await expect
    .poll(
      () =>
        manager.streams.info('CLICKS').then(
          () => true,
          () => false,
        ),
      WITHIN,
    )
    .toBe(true);
  return pod;
}

/** Asks for the link; each visit says its number in the referrer. */
async function visit(pod: RunningRedirect, number: number, headers: Record<string, string> = {}): Promise<void> {
  const all = { host: HOST, 'user-agent': PERSON, referer: String(number), ...headers };
  const sent = request(`http://${pod.address}/hit`, { agent, headers: all });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  expect(response.statusCode).toBe(302);
}

async function visitMany(pod: RunningRedirect, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 20) {
    const some = Array.from({ length: Math.min(20, to - number) }, (_, i) => number + i);
    await Promise.all(some.map((each) => visit(pod, each)));
  }
}

/** Everything that the stream holds, and goes on holding. */
async function stored(): Promise<{ clicks: Click[]; batches: ClickBatch[]; subjects: Set<string> }> {
  const { state } = await manager.streams.info('CLICKS');
  const found = { clicks: [] as Click[], batches: [] as ClickBatch[], subjects: new Set<string>() };
  for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage('CLICKS', { seq });
    const batch = ClickBatch.decode(message.data);
    found.subjects.add(message.subject);
    found.batches.push(batch);
    found.clicks.push(...batch.clicks);
  }
  return found;
}

/** How many different visits, clicks and click ids arrived: all three are equal when each came once. */
async function counted(): Promise<number[]> {
  const { clicks } = await stored();
  return [
    new Set(clicks.map(({ referrer }) => referrer)).size,
    new Set(clicks.map(({ id }) => id.toString('hex'))).size,
    clicks.length,
  ];
}

async function metric(pod: RunningRedirect, line: string): Promise<number> {
  const text = await (await fetch(pod.metricsUrl)).text();
  const found = text.split('\n').find((each) => each.startsWith(line));
  return Number(found?.split(' ').at(-1));
}

test('each of 1,000 requests arrives once in the stream, in batches of the tenant’s partition', async () => {
  const pod = await startReady();
  await visitMany(pod, 0, 1_000);
  await expect.poll(counted, WITHIN).toEqual([1_000, 1_000, 1_000]);
  const { batches, subjects } = await stored();
  expect([...subjects]).toEqual([clickSubject(partitionOf(TENANT))]);
  expect(batches.length).toBeLessThan(100);
  expect(Math.max(...batches.map(({ clicks }) => clicks.length))).toBeLessThanOrEqual(100);
  expect(await metric(pod, 'click_event_publish_total')).toBe(1_000);
  expect(await metric(pod, 'click_event_drop_total{class="other"')).toBe(0);
});

test('a click carries what is known of the visit, and two pods know a visitor by the same hash', async () => {
  const [one, two] = [await startReady(), await startPod()];
  const china = { 'x-forwarded-for': '114.114.114.114', 'accept-language': 'zh-CN,zh;q=0.9' };
  await expect.poll(() => salts.countDocuments()).toBeGreaterThan(0);
  // Until both hold the salt of the day.
  await expect
    .poll(async () => {
      await Promise.all([one, two].map((pod) => visit(pod, 1, china)));
      const { clicks } = await stored();
      return clicks.filter(({ visitor }) => visitor !== undefined).length;
    }, WITHIN)
    .toBeGreaterThan(5);
  const { clicks } = await stored();
  const visitors = new Set(clicks.map(({ visitor }) => visitor).filter((each) => each !== undefined));
  expect(visitors.size).toBe(1);
  expect(clicks.at(-1)).toMatchObject({
    ...{ tenantId: TENANT, groupId: 'grp_1', domainId: 'dom_1', shortCode: 'hit', targetVersion: 3, country: 'CN' },
    ...{ language: 'zh-CN', userAgent: PERSON, status: 302, flags: { head: false, prefetch: false } },
    saltId: new Date().toISOString().slice(0, 10),
  });
  const [salt] = await salts.find({ _id: new Date().toISOString().slice(0, 10) }).toArray();
  expect(salt?.secret.buffer).toHaveLength(32);
  expect(salt?.expiresAt.getTime()).toBe(Date.parse(String(salt?._id)) + 2 * 86_400_000);
  const indexes = () => salts.indexes();
  await expect.poll(indexes, WITHIN).toContainEqual(expect.objectContaining({ expireAfterSeconds: 0 }));
});

test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'with NATS under %s for seconds no click is lost, and each arrives once when it is back',
  async (signal) => {
    const pod = await startReady();
    await visitMany(pod, 0, 300);
    engines.nats?.kill(signal);
    let sent = 300;
    // Longer than a publish waits for its answer.
    const end = performance.now() + 3_000;
    while (performance.now() < end) {
      await visitMany(pod, sent, sent + 100);
      sent += 100;
    }
    await expect.poll(() => metric(pod, 'click_spool_bytes'), WITHIN).toBeGreaterThan(0);
    if (signal === 'SIGKILL') await engines.nats?.restart();
    else engines.nats?.kill('SIGCONT');
    await visitMany(pod, sent, sent + 100);
    sent += 100;
    await expect.poll(() => metric(pod, 'click_event_publish_total'), WITHIN).toBe(sent);
    expect(await counted()).toEqual([sent, sent, sent]);
    expect(await metric(pod, 'click_spool_bytes')).toBe(0);
  },
  60_000,
);

test('a stop loses none: with NATS there they are in it, without it the next start sends them', async () => {
  const first = await startReady();
  await visitMany(first, 0, 150);
  await first.stop();
  expect(await counted()).toEqual([150, 150, 150]);

  const second = await startReady();
  engines.nats?.kill('SIGSTOP');
  await visitMany(second, 150, 400);
  await second.stop();
  engines.nats?.kill('SIGCONT');
  const third = await startReady();
  await expect.poll(() => metric(third, 'click_spool_bytes'), WITHIN).toBe(0);
  expect(await counted()).toEqual([400, 400, 400]);
}, 60_000);
