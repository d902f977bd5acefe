import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from '../../dev/engines.js';
import { Click, ClickBatch, type DropCount } from '../../gen/proto/waypost/click/v1/click.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo } from '../../runtime/mongo.js';
import type { Work } from '../../runtime/stream-worker.js';
import { Ingest, MAX_AHEAD_MS, RAW_RETENTION_MS } from './ingest.js';
import { statsMetrics } from './stats-metrics.js';
import { HOUR_MS } from './store/rollup.js';
import { StatsStore } from './store.js';

/** What is in no number, exactly: clicks that pods dropped, and clicks that are refused for their time. */
const NOW = Date.UTC(2026, 10, 15, 12, 30);
const FREE = { confirm: async () => undefined };
const TENANTS = ['ten_1', 'ten_2'];
const WIDE = { from: NOW - 2 * RAW_RETENTION_MS, to: NOW + RAW_RETENTION_MS };

let directory: string;
let engines: Engines;
let mongo: Mongo;
let observer: MongoClient;
let store: StatsStore;
let now = NOW;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-losses-'));
  const external = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };
  engines = await startEngines({ dataDir: directory, external, log: () => undefined });
  mongo = new Mongo({ url: engines.mongodbUrl, database: 'test', timeoutMs: 6_000, commitWaitMs: 5_000, appName: 't' });
  observer = await MongoClient.connect(engines.mongodbUrl);
  store = new StatsStore(mongo, () => now);
  await store.prepare();
});

afterAll(async () => {
  await observer?.close();
  await mongo?.stop();
  await engines?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(empty);

async function empty(): Promise<void> {
  now = NOW;
  for (const collection of await observer.db('test').collections()) {
    if (collection.collectionName !== 'watermarks') await collection.deleteMany({});
  }
}

function ingest(): Ingest {
  const metrics = statsMetrics(createMetrics('test'), async () => new Map());
  return new Ingest({ store, sketches: { add: async () => undefined }, metrics, now: () => now });
}

let made = 0;

function click(timeMs: number, tenantId = 'ten_1'): Click {
  const id = Buffer.alloc(16);
  id.writeUInt32BE(++made, 12);
  return { ...Click.decode(new Uint8Array()), id, timeMs, tenantId, linkId: 'lnk_1' };
}

/** A message as it comes from the stream. */
function message(batch: Partial<ClickBatch>): Work {
  const data = ClickBatch.encode({ ...ClickBatch.decode(new Uint8Array()), pod: 'pod_1', ...batch }).finish();
  return { data, publishedAt: NOW } as Work;
}

function take(...messages: Work[]): Promise<unknown> {
  return ingest().store(0, FREE, messages);
}

function dropped(tenantId: string, span = WIDE): Promise<number> {
  return store.read((reader) => reader.droppedAtEdge(tenantId, span));
}

function refused(tenantId: string, linkIds?: string[], span = WIDE): Promise<number> {
  return store.read((reader) => reader.refused({ tenantId, linkIds }, span));
}

describe('drops at the edge', () => {
  it('of several pods add up to what each counted last, however often and in whatever order it is told', async () => {
    const report = fc.record({
      pod: fc.constantFrom('pod_1', 'pod_2'),
      tenantId: fc.constantFrom(...TENANTS),
      hour: fc.integer({ min: 0, max: 2 }),
      bots: fc.integer({ min: 0, max: 50 }),
      others: fc.integer({ min: 0, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(report, { maxLength: 12 }), fc.infiniteStream(fc.nat()), async (steps, order) => {
        await empty();
        // Totals of one pod, tenant and hour only grow.
        const totals = new Map<string, DropCount>();
        const reports = steps.map(({ pod, tenantId, hour, bots, others }) => {
          const key = `${pod} ${tenantId} ${hour}`;
          const before = totals.get(key) ?? { bots: 0, others: 0 };
          const hourMs = NOW - (NOW % HOUR_MS) - hour * HOUR_MS;
          const drop = { tenantId, hourMs, bots: before.bots + bots, others: before.others + others };
          totals.set(key, drop);
          return message({ pod, drops: [drop] });
        });
        const again = [...reports, ...reports];
        again.sort(() => (order.next().value % 2 === 0 ? -1 : 1));
        for (let i = 0; i < again.length; i += 3) await take(...again.slice(i, i + 3));
        for (const tenant of TENANTS) {
          const told = [...totals.values()].filter(({ tenantId }) => tenantId === tenant);
          expect(await dropped(tenant)).toBe(told.reduce((sum, { bots, others }) => sum + bots + others, 0));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('belong to the hours that a range touches', async () => {
    const hourMs = NOW - (NOW % HOUR_MS);
    await take(message({ drops: [{ tenantId: 'ten_1', hourMs, bots: 1, others: 2 }] }));
    expect(await dropped('ten_1', { from: hourMs + 1, to: hourMs + 2 })).toBe(3);
    expect(await dropped('ten_1', { from: hourMs + HOUR_MS, to: hourMs + 2 * HOUR_MS })).toBe(0);
    expect(await dropped('ten_1', { from: hourMs - HOUR_MS, to: hourMs })).toBe(0);
  });

  it('that name no tenant, pod or hour are given to the dead, and what is with them counts', async () => {
    const good = { tenantId: 'ten_1', hourMs: NOW, bots: 0, others: 5 };
    const bad = message({ drops: [good, { ...good, tenantId: '' }], clicks: [click(NOW)] });
    expect(await take(bad)).toEqual(new Map([[bad, expect.stringMatching('dropped')]]));
    expect(await dropped('ten_1')).toBe(5);
    expect(await observer.db('test').collection('events_202611').countDocuments()).toBe(1);
  });
});

describe('clicks of a time that can not be', () => {
  it('I11: what was published is stored or refused, each once, in any split and however often it comes', async () => {
    const time = fc.oneof(
      fc.integer({ min: NOW - RAW_RETENTION_MS - HOUR_MS, max: NOW - RAW_RETENTION_MS + HOUR_MS }),
      fc.integer({ min: NOW - HOUR_MS, max: NOW + 2 * MAX_AHEAD_MS }),
    );
    const times = fc.array(fc.tuple(time, fc.constantFrom(...TENANTS)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 7 }), async (given, size) => {
        await empty();
        const clicks = given.map(([timeMs, tenantId]) => click(timeMs, tenantId));
        const parts: Work[] = [];
        for (let i = 0; i < clicks.length; i += size) parts.push(message({ clicks: clicks.slice(i, i + size) }));
        for (const part of [...parts, ...parts.reverse()]) await take(part);
        const timely = ({ timeMs }: Click) => timeMs >= NOW - RAW_RETENTION_MS && timeMs <= NOW + MAX_AHEAD_MS;
        for (const tenant of TENANTS) {
          const ours = clicks.filter(({ tenantId }) => tenantId === tenant);
          expect(await refused(tenant)).toBe(ours.filter((each) => !timely(each)).length);
          expect(await stored(tenant)).toBe(ours.filter(timely).length);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('stay refused when they come again at a time at which they would be taken, and stored when they were', async () => {
    const ahead = click(NOW + MAX_AHEAD_MS + 1);
    const old = click(NOW - RAW_RETENTION_MS + 1);
    await take(message({ clicks: [ahead, old] }));
    now = NOW + HOUR_MS;
    await take(message({ clicks: [ahead, old] }));
    expect(await refused('ten_1')).toBe(1);
    expect(await stored('ten_1')).toBe(1);
    expect(await refused('ten_1', ['lnk_1'])).toBe(1);
    expect(await refused('ten_1', ['lnk_2'])).toBe(0);
  });
});

async function stored(tenantId: string): Promise<number> {
  let count = 0;
  for (const { collectionName } of await observer.db('test').collections()) {
    if (!collectionName.startsWith('events_')) continue;
    count += await observer.db('test').collection(collectionName).countDocuments({ te: tenantId });
  }
  return count;
}
