import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from '../../dev/engines.js';
import { createLog } from '../../runtime/log.js';
import { Mongo } from '../../runtime/mongo.js';
import type { Click } from './clicks.js';
import { TRAFFIC_CLASSES } from './enrich/traffic-class.js';
import { Retention } from './retention.js';
import { sampleClick } from './sample-click.js';
import { DIMENSIONS, escapeKey, HOUR_MS, MAX_KEYS, OTHER, UNKNOWN, unescapeKey } from './store/rollup.js';
import { StatsStore } from './store.js';
import { Totals } from './totals.js';

const OTHERS = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };
const NOON = Date.UTC(2026, 10, 30, 12);
const FREE = { confirm: async () => undefined };

let directory: string;
let engines: Engines;
let mongo: Mongo;
let store: StatsStore;
let observer: MongoClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-stats-'));
  engines = await startEngines({ dataDir: directory, external: OTHERS, log: () => undefined });
  mongo = new Mongo({ url: engines.mongodbUrl, database: 'test', timeoutMs: 6_000, commitWaitMs: 5_000, appName: 't' });
  observer = await MongoClient.connect(engines.mongodbUrl);
  store = new StatsStore(mongo);
  await store.prepare();
});

afterAll(async () => {
  await observer.close();
  await mongo.stop();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

async function empty(): Promise<void> {
  for (const collection of await observer.db('test').collections()) {
    if (/^(events_|clicks_)/.test(collection.collectionName)) await collection.deleteMany({});
  }
}

beforeEach(empty);

function click(given: Partial<Click> = {}): Click {
  return sampleClick({ timeMs: NOON, saltId: 'salt', ...given });
}

function append(clicks: readonly Click[], partition = 0) {
  return store.append({ partition, clicks, publishedAt: new Date(NOON), lease: FREE });
}

/** Of two links. */
async function totalsOf(tenantId: string, from?: number, to?: number) {
  const date = (time: number | undefined) => (time === undefined ? undefined : new Date(time));
  const totals = new Totals(store, { asOf: async () => new Date(NOON) });
  return (await totals.of(tenantId, ['lnk_1', 'lnk_2'], date(from), date(to))).totals;
}

function name({ te, l, h }: { te: string; l: string; h: Date }): string {
  return `${te} ${l} ${h.toISOString()}`;
}

/** Everything that is stored, in an order that does not depend on how it came. */
async function state(): Promise<{ events: string[]; rollups: Map<string, Document> }> {
  const db = observer.db('test');
  const events: string[] = [];
  for (const { collectionName } of await db.collections()) {
    if (!collectionName.startsWith('events_')) continue;
    for (const event of await db.collection(collectionName).find().toArray()) events.push(JSON.stringify(event));
  }
  const rollups = new Map<string, Document>();
  for (const document of await db.collection('clicks_hourly').find().toArray()) {
    const { _id, ...rest } = document;
    rollups.set(name(_id as never), rest);
  }
  return { events: events.sort(), rollups };
}

/** The roll-ups as the stored clicks give them, without the code that is tested. */
async function recomputed(): Promise<Map<string, Document>> {
  const db = observer.db('test');
  const rollups = new Map<string, Document>();
  const increase = (map: Document, key: string) => {
    map[key] = (map[key] ?? 0) + 1;
  };
  for (const { collectionName } of await db.collections()) {
    if (!collectionName.startsWith('events_')) continue;
    for (const event of await db.collection(collectionName).find().toArray()) {
      const time = (event.t as Date).getTime();
      for (const l of [event.l, `-${event.p}`]) {
        const key = name({ te: event.te, l, h: new Date(Math.floor(time / HOUR_MS) * HOUR_MS) });
        const rollup: Document = rollups.get(key) ?? { x: counts(), q: {} };
        rollups.set(key, rollup);
        increase(rollup.x, event.cls);
        const quarter = new Date(time).getUTCMinutes() / 15;
        rollup.q[Math.floor(quarter)] ??= counts();
        increase(rollup.q[Math.floor(quarter)], event.cls);
        if (event.cls !== 'HUMAN') continue;
        for (const dimension of DIMENSIONS) {
          rollup[dimension] ??= counts();
          const value = String(event[dimension] ?? UNKNOWN);
          increase(rollup[dimension], value.replaceAll('.', '%2E').replaceAll('$', '%24'));
        }
      }
    }
  }
  return rollups;
}

/** Without inherited names: `constructor` is a host like any other. */
function counts(): Document {
  return Object.create(null);
}

const anyClick = fc
  .record({
    tenantId: fc.constantFrom('ten_1', 'ten_2'),
    linkId: fc.constantFrom('lnk_1', 'lnk_2', 'lnk_3'),
    // Two hours of one month and two of the next.
    timeMs: fc.integer({ min: NOON + 10.5 * HOUR_MS, max: NOON + 13.5 * HOUR_MS }),
    trafficClass: fc.constantFrom(...TRAFFIC_CLASSES),
    country: fc.constantFrom('DE', 'CN', ''),
    referrer: fc.constantFrom('t.co', 'a$b.example', '__proto__', 'constructor', ''),
    targetVersion: fc.constantFrom(1, 2),
    visitor: fc.constantFrom(1n, 2n ** 64n - 1n, undefined),
  })
  .map((given) => click(given));

/** Clicks, and a history of batches in which each comes at least once. */
const history = fc.array(anyClick, { minLength: 1, maxLength: 25 }).chain((clicks) =>
  fc.record({
    clicks: fc.constant(clicks),
    batches: fc
      .array(fc.subarray(clicks, { minLength: 1 }), { maxLength: 4 })
      .chain((again) => fc.shuffledSubarray([clicks, ...again], { minLength: again.length + 1 })),
  }),
);

describe('the store of clicks', () => {
  it('I4, I7, I8: any batches, in any order, as often as they like, leave one state, and roll-ups are what raw clicks give', async () => {
    const partition = (tenantId: string) => (tenantId === 'ten_1' ? 0 : 1);
    const play = async (batches: readonly (readonly Click[])[]) => {
      for (const batch of batches) {
        for (const tenant of ['ten_1', 'ten_2']) {
          const part = batch.filter(({ tenantId }) => tenantId === tenant);
          if (part.length > 0) await append(part, partition(tenant));
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(history, async ({ clicks, batches }) => {
        await empty();
        await play([clicks]);
        const once = await state();
        await empty();
        await play(batches);
        const { events, rollups } = await state();
        expect(events).toEqual(once.events);
        expect(rollups).toEqual(once.rollups);
        expect(events).toHaveLength(clicks.length);
        expect(rollups).toEqual(await recomputed());
        for (const [key, tenantHour] of rollups) {
          const [te, l, h] = key.split(' ') as [string, string, string];
          if (!l.startsWith('-')) continue;
          const links = [...rollups].filter(([k]) => k.startsWith(`${te} lnk`) && k.endsWith(h));
          for (const cls of TRAFFIC_CLASSES) {
            const sum = links.reduce((total, [, link]) => total + (link.x[cls] ?? 0), 0);
            expect(sum).toBe(tenantHour.x[cls] ?? 0);
          }
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('tells which clicks of a batch were new, twins within it included', async () => {
    const [a, b] = [click(), click()];
    expect(await append([a, a, b])).toMatchObject({ duplicates: 1 });
    const again = await append([b, click()]);
    expect(again).toMatchObject({ duplicates: 1 });
    expect(again.stored).toHaveLength(1);
  });

  it('counts each click once when many appenders bring the same batches at the same time', async () => {
    const clicks = Array.from({ length: 60 }, () => click());
    const batches = [clicks.slice(0, 40), clicks.slice(20), clicks, clicks.slice(10, 50)];
    await Promise.all(batches.map((batch) => append(batch)));
    expect((await state()).events).toHaveLength(60);
    expect((await state()).rollups).toEqual(await recomputed());
  });

  it('stores nothing for one whose lease has passed to another', async () => {
    const lost = { confirm: () => Promise.reject(new Error('lost')) };
    const attempt = store.append({ partition: 0, clicks: [click()], publishedAt: new Date(), lease: lost });
    await expect(attempt).rejects.toThrow('lost');
    expect((await state()).events).toEqual([]);
  });

  it('keeps a map to 200 keys and loses no click by it', async () => {
    const from = (i: number) => click({ referrer: `r${i}.example` });
    await append(Array.from({ length: 150 }, (_, i) => from(i)));
    await append(Array.from({ length: 150 }, (_, i) => from(i + 100)));
    await append(Array.from({ length: 250 }, (_, i) => click({ linkId: 'lnk_2', referrer: `r${i}.example` })));
    for (const [key, { rf, x }] of (await state()).rollups) {
      const counts = Object.values(rf as Record<string, number>);
      expect(counts, key).toHaveLength(MAX_KEYS + 1);
      expect(counts.reduce((a, b) => a + b)).toBe(x.HUMAN);
      expect(rf[OTHER]).toBeGreaterThan(0);
    }
  });
});

describe('retention', () => {
  it('drops a month of raw clicks when its last one is older than 90 days, and keeps what they count', async () => {
    const log = createLog('test', 'silent');
    const sweepAt = (time: number) => new Retention({ store, log, now: () => time }).sweep();
    const day = 24 * HOUR_MS;
    await append([click(), click({ timeMs: NOON + day })]);
    await sweepAt(Date.UTC(2026, 11, 1) + 91 * day - 1);
    expect((await state()).events).toHaveLength(2);
    await sweepAt(Date.UTC(2026, 11, 1) + 91 * day);
    expect((await state()).events).toHaveLength(1);
    expect((await totalsOf('ten_1'))[0]).toEqual({ linkId: 'lnk_1', total: 2, human: 2, bot: 0, unique: undefined });
  });
});

describe('keys of maps', () => {
  it('come back as they were, and never have a sign that means something in a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const key = escapeKey(value);
        expect(key).not.toMatch(/[.$\0]/);
        expect(key).not.toBe('');
        expect(unescapeKey(key)).toBe(value);
      }),
    );
    expect(escapeKey('t.co')).toBe('t%2Eco');
  });
});

describe('totals', () => {
  it('counts people and bots, previews with these, and neither HEAD nor prefetches', async () => {
    await append(TRAFFIC_CLASSES.map((trafficClass) => click({ trafficClass })));
    const nothing = { linkId: 'lnk_2', total: 0, human: 0, bot: 0, unique: 0 };
    expect(await totalsOf('ten_1')).toEqual([{ linkId: 'lnk_1', total: 3, human: 1, bot: 2, unique: 1 }, nothing]);
  });

  it('gives nothing of another tenant', async () => {
    await append([click()]);
    expect(await totalsOf('ten_2')).toMatchObject([{ total: 0 }, { total: 0 }]);
  });

  it('I6: the counts of any two neighbouring ranges add up to that of both, to the millisecond', async () => {
    const clicks = Array.from({ length: 300 }, (_, i) => click({ timeMs: NOON + i * 61_234 }));
    await append(clicks);
    const time = fc.integer({ min: NOON - HOUR_MS, max: NOON + 6 * HOUR_MS });
    await fc.assert(
      fc.asyncProperty(fc.array(time, { minLength: 3, maxLength: 3 }), async (times) => {
        const [a, b, c] = times.sort((x, y) => x - y) as [number, number, number];
        const count = async (from: number, to: number) => (await totalsOf('ten_1', from, to))[0]?.human;
        expect(await count(a, c)).toBe(clicks.filter(({ timeMs }) => timeMs >= a && timeMs < c).length);
        expect(((await count(a, b)) ?? 0) + ((await count(b, c)) ?? 0)).toBe(await count(a, c));
      }),
      { numRuns: 30 },
    );
  });

  it('tells visitors of different salts apart, over months, and leaves out who asked not to be counted', async () => {
    const nextMonth = NOON + 24 * HOUR_MS;
    await append([
      click(),
      click(),
      click({ visitor: 2n ** 64n - 1n }),
      click({ visitor: 2n ** 64n - 1n, timeMs: nextMonth }),
      click({ saltId: 'next', timeMs: nextMonth }),
      click({ visitor: undefined }),
      click({ visitor: 9n, trafficClass: 'BOT' }),
    ]);
    expect((await totalsOf('ten_1'))[0]).toMatchObject({ human: 6, bot: 1, unique: 3 });
  });

  it('gives no number of visitors when raw clicks of the range are gone', async () => {
    await append([click(), click()]);
    await observer.db('test').collection('events_202611').deleteOne({});
    expect((await totalsOf('ten_1'))[0]).toMatchObject({ human: 2, bot: 0, unique: undefined });
  });
});
