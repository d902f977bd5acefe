import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from '../../../dev/engines.js';
import { type Click, ClickBatch } from '../../../gen/proto/waypost/click/v1/click.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { Mongo } from '../../../runtime/mongo.js';
import type { EdgeDrop } from '../clicks.js';
import { Ingest } from '../ingest.js';
import { statsMetrics } from '../stats-metrics.js';
import { StatsStore } from '../store.js';
import { droppedAtEdge, refusedClicks } from './losses.js';

const OTHERS = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.UTC(2026, 10, 30, 12);
const FREE = { confirm: async () => undefined };
const EVER = [0, Date.UTC(9999, 0)] as const;

let directory: string;
let engines: Engines;
let mongo: Mongo;
let store: StatsStore;
let observer: MongoClient;
let db: Db;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-losses-'));
  engines = await startEngines({ dataDir: directory, external: OTHERS, log: () => undefined });
  mongo = new Mongo({ url: engines.mongodbUrl, database: 'test', timeoutMs: 6_000, commitWaitMs: 5_000, appName: 't' });
  observer = await MongoClient.connect(engines.mongodbUrl);
  db = observer.db('test');
  store = new StatsStore(mongo);
  await store.prepare();
}, 60_000);

afterAll(async () => {
  await observer.close();
  await mongo.stop();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

async function empty(): Promise<void> {
  for (const collection of await db.collections()) {
    if (/^(events_|clicks_|edge_)/.test(collection.collectionName)) await collection.deleteMany({});
  }
}

beforeEach(empty);

function append(drops: EdgeDrop[]) {
  return store.append({ partition: 0, clicks: [], drops, publishedAt: new Date(NOON), lease: FREE });
}

function drop(given: Partial<EdgeDrop> = {}): EdgeDrop {
  return { tenantId: 'ten_1', hourMs: NOON, pod: 'pod-1', bots: 0, others: 0, ...given };
}

let made = 0;

function click(given: Partial<Click> = {}): Click {
  const id = Buffer.alloc(16);
  id.writeUInt32BE(++made, 12);
  return {
    ...{ id, timeMs: NOON, tenantId: 'ten_1', linkId: 'lnk_1', groupId: 'grp_1', domainId: 'dom_1' },
    ...{ shortCode: 'code', targetVersion: 1, visitor: 1, saltId: 'salt', country: 'DE', userAgent: 'curl/8' },
    ...{ referrer: '', language: 'de', flags: undefined, status: 302, costUs: 100, trigger: 'TRIGGER_LINK' },
    ...{ campaign: undefined, adClick: false },
    ...given,
  };
}

/** As a process would that reads the stream at a time. */
async function ingest(clicks: readonly Click[], now = NOON) {
  const metrics = statsMetrics(createMetrics('test'), async () => new Map());
  const body = { clicks: [...clicks], droppedBots: 0, droppedOthers: 0, pod: 'pod', drops: [] };
  const data = ClickBatch.encode(body).finish();
  await new Ingest({ store, sketches: { add: async () => undefined }, metrics, now: () => now }).store(0, FREE, [
    { data, publishedAt: now } as unknown as Parameters<Ingest['store']>[2][number],
  ]);
  return metrics;
}

async function stored(): Promise<number> {
  let total = 0;
  for (const collection of await db.collections()) {
    if (collection.collectionName.startsWith('events_')) total += await collection.countDocuments();
  }
  return total;
}

describe('drops at the edge', () => {
  /** What pods tell one after the other: totals that only grow. */
  const lives = fc.array(
    fc.record({
      pod: fc.constantFrom('pod-1', 'pod-2', 'pod-3'),
      tenantId: fc.constantFrom('ten_1', 'ten_2'),
      hour: fc.integer({ min: 0, max: 2 }),
      bots: fc.nat(5),
      others: fc.nat(5),
    }),
    { minLength: 1, maxLength: 15 },
  );

  it('any order and repetition of what several pods tell gives the same sums', async () => {
    const history = lives.chain((grown) => {
      const totals = new Map<string, EdgeDrop>();
      const told = grown.map(({ pod, tenantId, hour, bots, others }) => {
        const key = `${pod} ${tenantId} ${hour}`;
        const before = totals.get(key) ?? drop({ pod, tenantId, hourMs: NOON + hour * HOUR_MS });
        const total = { ...before, bots: before.bots + bots, others: before.others + others };
        totals.set(key, total);
        return total;
      });
      const order = fc.shuffledSubarray([...told, ...told], { minLength: told.length * 2 });
      return fc.record({ grown: fc.constant(grown), order, size: fc.integer({ min: 1, max: 6 }) });
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ grown, order, size }) => {
        await empty();
        for (let i = 0; i < order.length; i += size) await append(order.slice(i, i + size));
        for (const tenant of ['ten_1', 'ten_2']) {
          for (const hour of [0, 1, 2]) {
            const own = grown.filter((each) => each.tenantId === tenant && each.hour === hour);
            const truth = own.reduce((sum, { bots, others }) => sum + bots + others, 0);
            const from = NOON + hour * HOUR_MS;
            expect(await droppedAtEdge(db, tenant, from, from + HOUR_MS)).toBe(truth);
          }
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it('the span counts every hour that it touches, and no other', async () => {
    await append([-1, 0, 1].map((hour) => drop({ hourMs: NOON + hour * HOUR_MS, others: 10 ** (hour + 1) })));
    expect(await droppedAtEdge(db, 'ten_1', NOON, NOON + HOUR_MS)).toBe(10);
    expect(await droppedAtEdge(db, 'ten_1', NOON - 1, NOON + HOUR_MS + 1)).toBe(111);
    expect(await droppedAtEdge(db, 'ten_1', NOON + 5, NOON + 6)).toBe(10);
    expect(await droppedAtEdge(db, 'ten_1', NOON, NOON)).toBe(0);
    expect(await droppedAtEdge(db, 'ten_2', ...EVER)).toBe(0);
  });

  it('nothing is kept of one whose lease has passed to another', async () => {
    const lost = { confirm: () => Promise.reject(new Error('lost')) };
    const batch = { partition: 0, clicks: [], drops: [drop({ bots: 1 })], publishedAt: new Date(), lease: lost };
    await expect(store.append(batch)).rejects.toThrow('lost');
    expect(await droppedAtEdge(db, 'ten_1', ...EVER)).toBe(0);
  });
});

describe('refused clicks', () => {
  const times = [NOON, NOON - 89 * DAY_MS, NOON - 91 * DAY_MS, NOON - 400 * DAY_MS, NOON + 90 * 60_000];
  const anyClick = fc.constantFrom(...times).map((timeMs) => click({ timeMs }));

  it('I11: in any split and repetition, at any time within hours, each click is stored or refused, and once', async () => {
    const history = fc.array(anyClick, { minLength: 1, maxLength: 15 }).chain((clicks) =>
      fc.record({
        clicks: fc.constant(clicks),
        batches: fc
          .array(fc.record({ part: fc.subarray(clicks, { minLength: 1 }), hours: fc.integer({ min: 0, max: 30 }) }), {
            maxLength: 5,
          })
          .chain((again) =>
            fc.shuffledSubarray([{ part: clicks, hours: 0 }, ...again], { minLength: again.length + 1 }),
          ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(history, async ({ clicks, batches }) => {
        await empty();
        for (const { part, hours } of batches) await ingest(part, NOON + hours * HOUR_MS);
        expect((await stored()) + (await refusedClicks(db, 'ten_1', undefined, ...EVER))).toBe(clicks.length);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('one of the future that comes again when it is none counts as refused, one of the past as stored', async () => {
    const future = click({ timeMs: NOON + 90 * 60_000 });
    await ingest([future]);
    await ingest([future, click({ timeMs: NOON + 90 * 60_000 })], NOON + HOUR_MS);
    const past = click({ timeMs: NOON - 89 * DAY_MS });
    await ingest([past]);
    await ingest([past], NOON + 2 * DAY_MS);
    expect(await refusedClicks(db, 'ten_1', undefined, ...EVER)).toBe(1);
    expect(await stored()).toBe(2);
  });

  it('they are found by tenant, link and time, with the reason', async () => {
    const late = NOON - 91 * DAY_MS;
    const metrics = await ingest([click({ timeMs: late }), click({ timeMs: late + 1, linkId: 'lnk_2' })]);
    await ingest([click({ timeMs: NOON + 2 * HOUR_MS }), click({ timeMs: late, tenantId: 'ten_2' })]);
    const count = (links: string[] | undefined, from: number, to: number) =>
      refusedClicks(db, 'ten_1', links, from, to);
    expect(await count(undefined, ...EVER)).toBe(3);
    expect(await count(['lnk_2'], ...EVER)).toBe(1);
    expect(await count(undefined, late, late + 1)).toBe(1);
    expect(await count([], ...EVER)).toBe(0);
    const reasons = await db.collection('clicks_refused').distinct('why', { te: 'ten_1', l: 'lnk_1' });
    expect(reasons).toEqual(['FUTURE', 'LATE']);
    expect((await metrics.tooLate.get()).values[0]?.value).toBe(2);
    const indexes = await db.collection('clicks_refused').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 90 * 86_400 }));
  });
});
