import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Db, MongoClient } from 'mongodb';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Credentials, createCredentials, withCredentials } from '../../dev/credentials.js';
import { type Engines, startEngines } from '../../dev/engines.js';
import { type FaultProxy, startFaultProxy } from '../../dev/fault-proxy.js';
import { type Click, ClickBatch, type DropCount } from '../../gen/proto/waypost/click/v1/click.js';
import { StatsServiceService } from '../../gen/proto/waypost/stats/v1/stats_service.js';
import { deriveKeys } from '../../runtime/keys.js';
import { Lease } from '../../runtime/lease.js';
import { createLog } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { connectRpc } from '../../runtime/rpc-client.js';
import { signContext } from '../../runtime/rpc-context.js';
import { STREAMS } from '../../runtime/streams.js';
import { readConfig } from './config.js';
import { clickConsumer, durableOf } from './consumer.js';
import type { CrashOptions } from './crash-rig.js';
import { Freshness } from './freshness.js';
import { Ingest } from './ingest.js';
import { startStats } from './service.js';
import { statsMetrics } from './stats-metrics.js';
import { droppedAtEdge, refusedClicks } from './store/losses.js';
import { StatsStore } from './store.js';

const WITHIN = { timeout: 25_000, interval: 50 };
const ADMIN = { user: 'admin', password: 'of this test alone' };
const ACK_WAIT_MS = 1_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const MASTER_KEY = 'a-master-key-of-the-stats-tests-long-enough';

let directory: string;
let engines: Engines;
let credentials: Credentials;
let admin: NatsConnection;
let manager: JetStreamManager;
let observer: MongoClient;
/** Each test has a database of its own. */
let database = 0;
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-stats-'));
  credentials = createCredentials();
  engines = await startEngines({
    dataDir: directory,
    natsConfig: () => withAdmin(credentials.natsConfig),
    external: { redisUrl: 'redis://unused' },
    log: () => undefined,
  });
  admin = await connect({
    servers: engines.natsUrl.replace('nats://', ''),
    user: ADMIN.user,
    pass: ADMIN.password,
    maxReconnectAttempts: -1,
  });
  manager = await admin.jetstreamManager();
  observer = await MongoClient.connect(engines.mongodbUrl);
});

beforeEach(async () => {
  database++;
  for (const name of ['CLICKS', 'DEAD'] as const) {
    await manager.streams.delete(name).catch(() => undefined);
    await manager.streams.add({ name, ...STREAMS[name] });
  }
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

afterAll(async () => {
  await observer.close();
  await admin.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The users of the product, and one who may do anything. */
function withAdmin(config: string): string {
  const { users } = JSON.parse(config.replace(/^authorization:/, ''));
  return `authorization: ${JSON.stringify({ users: [...users, ADMIN] })}\n`;
}

function db(): Db {
  return observer.db(`test${database}`);
}

function natsUrl(): string {
  return withCredentials(engines.natsUrl, 'stats', credentials.nats.stats);
}

/** What one process has. */
async function parts(mongodbUrl = engines.mongodbUrl) {
  const log = createLog('test', 'silent');
  const options = { database: `test${database}`, timeoutMs: 3_000, commitWaitMs: 3_000, appName: 'test' };
  const mongo = new Mongo({ url: mongodbUrl, ...options });
  stops.push(() => mongo.stop());
  const nats = new Nats({ url: natsUrl(), name: 'stats', replicas: 1, log });
  stops.push(() => nats.stop());
  const store = new StatsStore(mongo);
  await store.prepare();
  const metrics = createMetrics('test');
  const freshness = new Freshness(nats, store);
  const ingest = new Ingest({
    store,
    sketches: { add: async () => undefined },
    metrics: statsMetrics(metrics, () => freshness.lag()),
  });
  return { log, mongo, nats, store, ingest, freshness, registry: metrics.registry };
}

/** A consumer with the lease, or with one that it only believes to hold. */
async function consume(partition = 0, { zombie = false, mongodbUrl = engines.mongodbUrl } = {}) {
  const process = await parts(mongodbUrl);
  const { log, mongo, nats, ingest } = process;
  const real = new Lease(mongo.db, { name: `clicks:${partition}`, ttlMs: 600, log });
  if (!zombie) {
    stops.push(() => real.stop());
    await real.start();
  }
  const lease = zombie ? { held: true, confirm: async () => undefined } : real;
  const worker = clickConsumer({ partition, lease, nats, ingest, log, ackWaitMs: ACK_WAIT_MS });
  stops.push(() => worker.stop());
  worker.start();
  return process;
}

function click(given: Partial<Click> = {}): Click {
  const flags = { head: false, prefetch: false };
  return {
    id: randomBytes(16),
    timeMs: Date.now(),
    tenantId: 'ten_1',
    linkId: `lnk_${Math.floor(Math.random() * 20)}`,
    groupId: 'grp_1',
    domainId: 'dom_1',
    shortCode: 'code',
    targetVersion: 1,
    visitor: Math.floor(Math.random() * 1_000),
    saltId: 'salt',
    country: 'DE',
    userAgent: CHROME,
    referrer: 'https://t.co/abc',
    language: 'de',
    flags,
    status: 302,
    costUs: 100,
    trigger: 'TRIGGER_LINK',
    campaign: undefined,
    adClick: false,
    ...given,
  };
}

function batch(clicks: Click[], drops: DropCount[] = []): Uint8Array {
  return ClickBatch.encode({ clicks, droppedBots: 0, droppedOthers: 0, pod: 'pod', drops }).finish();
}

async function publish(data: Uint8Array, partition = 0): Promise<void> {
  await admin.jetstream().publish(`click.${partition}`, data);
}

/** Messages of 50 clicks, each click in one to three of them. Resolves with the clicks by link. */
async function publishWithDuplicates(messages: number): Promise<Map<string, number>> {
  const truth = new Map<string, number>();
  let before: Click[] = [];
  for (let i = 0; i < messages; i++) {
    const clicks = Array.from({ length: 50 }, () => click());
    for (const { linkId } of clicks) truth.set(linkId, (truth.get(linkId) ?? 0) + 1);
    await publish(batch([...clicks, ...before.slice(0, 10)]));
    if (i % 4 === 0) await publish(batch(clicks));
    before = clicks;
  }
  return truth;
}

/** People by link, as the roll-ups have them. */
async function counted(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { _id, x } of await db().collection('clicks_hourly').find().toArray()) {
    const { l } = _id as unknown as { l: string };
    if (!l.startsWith('-')) counts.set(l, (counts.get(l) ?? 0) + x.HUMAN);
  }
  return counts;
}

async function rawClicks(): Promise<number> {
  let total = 0;
  for (const collection of await db().collections()) {
    if (collection.collectionName.startsWith('events_')) total += await collection.countDocuments();
  }
  return total;
}

async function drained(): Promise<void> {
  await expect.poll(async () => (await manager.streams.info('CLICKS')).state.messages, WITHIN).toBe(0);
}

async function expectExact(truth: Map<string, number>): Promise<void> {
  await drained();
  expect(await counted()).toEqual(truth);
  expect(await rawClicks()).toBe([...truth.values()].reduce((a, b) => a + b, 0));
}

/** A process that kills itself. */
async function crash(killAt: CrashOptions['killAt'], after: number): Promise<void> {
  const options: CrashOptions = {
    mongodbUrl: engines.mongodbUrl,
    database: `test${database}`,
    natsUrl: natsUrl(),
    partition: 0,
    ackWaitMs: ACK_WAIT_MS,
    killAt,
    after,
  };
  const rig = fileURLToPath(new URL('crash-rig.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', rig, JSON.stringify(options)], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

test('clicks that come again, in one message or another, count once', async () => {
  const truth = await publishWithDuplicates(40);
  const { registry } = await consume();
  await expectExact(truth);
  expect(await registry.getSingleMetricAsString('click_duplicates_total')).toMatch(/ [1-9]\d*$/);
  expect(await registry.getSingleMetricAsString('click_events_total')).toContain('class="HUMAN"');
});

test('a consumer killed between commit and acknowledgement, or inside the transaction, leaves exact numbers', async () => {
  const truth = await publishWithDuplicates(150);
  await crash('commit', 0);
  await crash('transaction', 1);
  await crash('commit', 2);
  expect((await manager.streams.info('CLICKS')).state.messages).toBeGreaterThan(0);
  await consume();
  await expectExact(truth);
}, 60_000);

test('two consumers that both believe to be the one, and one that is, leave exact numbers', async () => {
  const running = [consume(0, { zombie: true }), consume(0, { zombie: true }), consume()];
  const truth = await publishWithDuplicates(100);
  await Promise.all(running);
  await expectExact(truth);
});

test('a message that is none goes to DEAD with its reason, and the others go on', async () => {
  const good = [click({ linkId: 'lnk_1' }), click({ linkId: 'lnk_1' })];
  await publish(batch(good.slice(0, 1)));
  await publish(Buffer.from('not protobuf'));
  await publish(batch([click({ id: Buffer.alloc(3) }), click({ linkId: 'lnk_1' })]));
  await publish(batch(good.slice(1)));
  await consume();
  await expectExact(new Map([['lnk_1', 3]]));
  expect((await manager.streams.info('DEAD')).state.messages).toBe(2);
  const dead = await manager.streams.getMessage('DEAD', { last_by_subj: 'dead.clicks.0' });
  expect(dead.header.get('Waypost-Reason')).toContain('16 bytes');
  expect(dead.header.get('Waypost-Subject')).toBe('click.0');
});

test('while the store is away clicks wait, spend next to no deliveries, and all count afterwards', async () => {
  const proxy: FaultProxy = await startFaultProxy(engines.mongod?.port ?? 0);
  stops.push(() => proxy.stop());
  const { nats } = await consume(0, { mongodbUrl: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` });
  const before = await publishWithDuplicates(5);
  await expectExact(before);
  proxy.setFault({ kind: 'reset' });
  const truth = await publishWithDuplicates(30);
  for (const [link, count] of before) truth.set(link, (truth.get(link) ?? 0) + count);
  // Longer than the ack wait and the lease.
  const end = Date.now() + 4 * ACK_WAIT_MS;
  await expect.poll(() => Date.now() > end, WITHIN).toBe(true);
  const info = await manager.consumers.info('CLICKS', durableOf(0));
  // What was in hand when the lease ran out was given back once.
  expect(info.delivered.consumer_seq - info.delivered.stream_seq).toBeLessThan(3 * 60);
  expect(info.num_pending + info.num_ack_pending).toBeGreaterThan(0);
  proxy.setFault({ kind: 'none' });
  await expectExact(truth);
  expect(nats.up).toBe(true);
});

test('a NATS server that is killed and comes back costs no click and counts none twice', async () => {
  const truth = await publishWithDuplicates(60);
  await consume();
  await expect.poll(rawClicks, WITHIN).toBeGreaterThan(0);
  engines.nats?.kill('SIGKILL');
  await engines.nats?.restart();
  await expect
    .poll(
      () =>
        admin
          .flush()
          .then(() => manager.streams.info('CLICKS'))
          .then(
            () => true,
            () => false,
          ),
      WITHIN,
    )
    .toBe(true);
  for (const [link, count] of await publishWithDuplicates(20)) truth.set(link, (truth.get(link) ?? 0) + count);
  await expectExact(truth);
}, 60_000);

test('clicks older than raw clicks are kept, and those of the future, are refused and counted once', async () => {
  const day = 86_400_000;
  const times = [Date.now() - 91 * day, Date.now() + 2 * 3_600_000, Date.now() - 80 * day, Date.now() + 60_000];
  const clicks = times.map((timeMs) => click({ linkId: 'lnk_1', timeMs }));
  await publish(batch(clicks));
  await publish(batch(clicks.slice(0, 3)));
  const { registry } = await consume();
  await expectExact(new Map([['lnk_1', 2]]));
  expect(await registry.getSingleMetricAsString('clicks_too_late_total')).toMatch(/ 1$/);
  expect(await registry.getSingleMetricAsString('clicks_from_future_total')).toMatch(/ 1$/);
  expect(await refusedClicks(db(), 'ten_1', ['lnk_1'], 0, Date.now() + day)).toBe(2);
});

test('a click is stored with its channel and its campaign, and people are counted by channel', async () => {
  const campaign = { source: 'facebook', medium: 'cpc', campaign: 'spring', term: '', content: '' };
  await publish(batch([click({ linkId: 'lnk_1', campaign }), click({ linkId: 'lnk_1', campaign, userAgent: '' })]));
  await consume();
  await expect.poll(rawClicks, WITHIN).toBe(2);
  const month = (await db().collections()).find(({ collectionName }) => collectionName.startsWith('events_'));
  const event = await month?.findOne({ cls: 'HUMAN' });
  expect(event).toMatchObject({ ch: 'PAID_SOCIAL', utm: { s: 'facebook', m: 'cpc', c: 'spring' } });
  expect(Object.keys(event?.utm)).toHaveLength(3);
  const hours = await db().collection('clicks_hourly').find().toArray();
  expect(hours.map(({ ch }) => ch)).toEqual([{ PAID_SOCIAL: 1 }, { PAID_SOCIAL: 1 }]);
});

test('a message without clicks tells of drops, and one that comes again changes nothing', async () => {
  const hourMs = 480_000 * 3_600_000;
  const drop = { tenantId: 'ten_1', hourMs, bots: 3, others: 4 };
  await publish(batch([], [drop]));
  await publish(batch([click({ linkId: 'lnk_1' })], [{ ...drop, bots: 5 }]));
  await publish(batch([], [drop, { ...drop, tenantId: '' }]));
  await consume();
  await expectExact(new Map([['lnk_1', 1]]));
  expect(await droppedAtEdge(db(), 'ten_1', hourMs, hourMs + 1)).toBe(9);
  expect((await manager.streams.info('DEAD')).state.messages).toBe(1);
});

test('as-of never claims a click that waits, and comes up to now when none does', async () => {
  const running = await Promise.all([0, 1, 2, 3].map((partition) => consume(partition)));
  const { freshness } = running[0]!;
  await expect.poll(async () => (await freshness.asOf())?.getTime() ?? 0, WITHIN).toBeGreaterThan(Date.now() - 2_000);
  for (const stop of stops.reverse()) await stop();
  stops = [];
  const { freshness: alone, store } = await parts();
  const waiting = Date.now() - 60_000;
  await publish(batch([click({ timeMs: waiting }), click()]), 2);
  await expect.poll(async () => (await alone.asOf())?.getTime(), WITHIN).toBe(waiting);
  expect(await alone.lag()).toEqual(new Map([[0, 0], [1, 0], [2, 1], [3, 0]])); // biome-ignore format: a table
  expect((await store.publishedUntil()).size).toBe(4);
});

test('the service counts what is published and answers its totals to the tenant alone', async () => {
  const service = await startStats(
    readConfig({
      WAYPOST_STATS_ADDRESS: '127.0.0.1:0',
      WAYPOST_STATS_METRICS_ADDRESS: '127.0.0.1:0',
      WAYPOST_LOG_LEVEL: 'silent',
      WAYPOST_MONGODB_URL: engines.mongodbUrl,
      WAYPOST_MONGODB_DATABASE: `test${database}`,
      WAYPOST_NATS_URL: natsUrl(),
      // Nobody listens there: clicks are counted without it.
      WAYPOST_REDIS_URL: 'redis://127.0.0.1:1',
      WAYPOST_MASTER_KEYS: MASTER_KEY,
    }),
  );
  stops.push(() => service.stop());
  const bot = { linkId: 'lnk_1', userAgent: 'Twitterbot/1.0' };
  const people = [1, 2, 2].map((visitor) => click({ linkId: 'lnk_1', visitor }));
  await publish(batch([...people, click(bot), click({ ...bot, flags: { head: true, prefetch: false } })]), 3);
  const client = connectRpc(StatsServiceService, {
    address: service.address,
    name: 'stats',
    idempotent: ['getClickTotals'],
    timeouts: { readMs: 2_000, writeMs: 2_000 },
  });
  stops.push(async () => client.close());
  const totals = (tenantId: string, linkIds: string[]) => {
    const actor = { id: 'key_1', kind: 'API_KEY', name: 'test' } as const;
    const rest = { scopes: [], policyVersion: 1, clientIp: '', traceId: '', source: 'API' } as const;
    const token = signContext({ tenantId, actor, ...rest, scopes: [] }, deriveKeys([MASTER_KEY], 'context'));
    return client.call(
      'getClickTotals',
      { linkIds, from: undefined, to: undefined },
      { token, deadline: Date.now() + 2_000 },
    );
  };
  const published = Date.now();
  await expect
    .poll(async () => (await totals('ten_1', [])).asOf?.getTime() ?? 0, WITHIN)
    .toBeGreaterThanOrEqual(published);
  const zero = { total: 0, human: 0, bot: 0, unique: 0 };
  expect((await totals('ten_1', ['lnk_1', 'lnk_9'])).totals).toEqual([
    { linkId: 'lnk_1', total: 4, human: 3, bot: 1, unique: 2 },
    { linkId: 'lnk_9', ...zero },
  ]);
  expect((await totals('ten_2', ['lnk_1'])).totals).toEqual([{ linkId: 'lnk_1', ...zero }]);
  await expect(totals('ten_1', Array(101).fill('lnk_1'))).rejects.toMatchObject({ kind: 'INVALID_ARGUMENT' });
  const metrics = await (await fetch(service.metricsUrl)).text();
  expect(metrics).toMatch(/stream_consumer_lag\{[^}]*partition="3"[^}]*\} 0/);
  expect(metrics).toMatch(/olap_ingest_delay_count\S* 5/);
});
