import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from '../../../dev/engines.js';
import { calendarBuckets, GRANULARITIES } from '../../../model/calendar-bucket.js';
import type { TimeSpan } from '../../../model/time-span.js';
import { Mongo } from '../../../runtime/mongo.js';
import type { Click } from '../clicks.js';
import { DIMENSIONS, type Dimension } from '../dimension.js';
import { TRAFFIC_CLASSES } from '../enrich/traffic-class.js';
import type { Filter } from '../filter.js';
import { sampleClick } from '../sample-click.js';
import { HOUR_MS, MAX_KEYS, OTHER, UNKNOWN } from '../store/rollup.js';
import { StatsStore } from '../store.js';
import { Analytics } from './analytics.js';
import type { Answer, Metrics, PanelAnswer } from './answer.js';
import type { BreakdownPanel, Panel, Question } from './question.js';

const DAY_MS = 24 * HOUR_MS;
/** A day when clocks changed in Berlin, with some before and after. */
const START = Date.UTC(2026, 9, 23);
const NOW = START + 6 * DAY_MS;
const FREE = { confirm: async () => undefined };
const ZONES = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
];

let directory: string;
let engines: Engines;
let mongo: Mongo;
let store: StatsStore;
let observer: MongoClient;
let analytics: Analytics;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-analytics-'));
  const external = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };
  engines = await startEngines({ dataDir: directory, external, log: () => undefined });
  mongo = new Mongo({ url: engines.mongodbUrl, database: 'test', timeoutMs: 6_000, commitWaitMs: 5_000, appName: 't' });
  observer = await MongoClient.connect(engines.mongodbUrl);
  store = new StatsStore(mongo);
  await store.prepare();
  analytics = analyticsAt(NOW);
});

afterAll(async () => {
  await observer?.close();
  await mongo?.stop();
  await engines?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(empty);

function analyticsAt(now: number): Analytics {
  return new Analytics({
    store,
    freshness: { asOf: async () => new Date(now) },
    sketches: { estimate: async () => undefined },
    now: () => now,
  });
}

async function empty(): Promise<void> {
  for (const collection of await observer.db('test').collections()) {
    if (/^(events_|clicks_|visitors_)/.test(collection.collectionName)) await collection.deleteMany({});
  }
}

function click(given: Partial<Click> = {}): Click {
  return sampleClick({ timeMs: START, ...given });
}

async function append(clicks: readonly Click[]): Promise<void> {
  await store.append({ partition: 0, clicks, publishedAt: new Date(NOW), lease: FREE });
}

function ask(given: Partial<Question> & { panels: readonly Panel[] }): Question {
  return {
    scope: { tenantId: 'ten_1', linkIds: undefined },
    span: { from: START, to: NOW },
    compared: undefined,
    timeZone: 'UTC',
    weekStart: 'MONDAY',
    traffic: ['HUMAN'],
    filters: [],
    ...given,
  };
}

const WANTS = { visitors: true, excluded: true };
const TOTALS: Panel = { kind: 'totals', ...WANTS };

function breakdown(dimension: Dimension, given: Partial<BreakdownPanel> = {}): BreakdownPanel {
  return {
    kind: 'breakdown',
    dimension,
    order: 'CLICKS_DESC',
    first: 100,
    after: '',
    visitors: false,
    excluded: false,
    ...given,
  };
}

function panel<K extends PanelAnswer['kind']>({ panels }: Answer, i: number, kind: K) {
  const found = panels[i];
  if (found?.kind !== kind) throw new Error(`panel ${i} is ${JSON.stringify(found)}`);
  return found as Extract<PanelAnswer, { kind: K }>;
}

/** What a click has of a dimension, from the click itself. */
function dimensionValue(each: Click, dimension: Dimension): string {
  switch (dimension) {
    case 'LINK':
      return each.linkId;
    case 'COUNTRY':
      return each.country;
    case 'DEVICE':
      return each.client.device;
    case 'BROWSER':
      return each.client.browser;
    case 'OS':
      return each.client.os;
    case 'CHANNEL':
      return each.channel;
    case 'REFERRER':
      return each.referrer;
    case 'LANGUAGE':
      return each.language;
    case 'TRAFFIC_CLASS':
      return each.trafficClass;
    case 'TRIGGER':
      return each.trigger.toUpperCase();
    case 'TARGET_VERSION':
      return String(each.targetVersion);
  }
}

function fits(each: Click, { dimension, operator, values }: Filter): boolean {
  const value = dimensionValue(each, dimension) || UNKNOWN;
  const known = value === UNKNOWN ? '' : value.toLowerCase();
  switch (operator) {
    case 'IS':
      return values.includes(value);
    case 'IS_NOT':
      return !values.includes(value);
    case 'CONTAINS':
      return values.some((part) => known !== '' && known.includes(part.toLowerCase()));
    case 'STARTS_WITH':
      return values.some((part) => known !== '' && known.startsWith(part.toLowerCase()));
  }
}

/** The clicks that a question is about, by looking at each of them. */
function chosen(clicks: readonly Click[], { scope, filters }: Question, { from, to }: TimeSpan): Click[] {
  return clicks.filter(
    (each) =>
      each.tenantId === scope.tenantId &&
      (scope.linkIds === undefined || scope.linkIds.includes(each.linkId)) &&
      each.timeMs >= from &&
      each.timeMs < to &&
      filters.every((filter) => fits(each, filter)),
  );
}

function truth(
  clicks: readonly Click[],
  { traffic }: Question,
): { clicks: number; visitors: number; excluded: Record<string, number> } {
  const counted = clicks.filter(({ trafficClass }) => traffic.includes(trafficClass));
  const excluded = TRAFFIC_CLASSES.filter((name) => !traffic.includes(name)).map(
    (name) => [name, clicks.filter(({ trafficClass }) => trafficClass === name).length] as const,
  );
  const people = counted
    .filter(({ visitor }) => visitor !== undefined)
    .map(({ saltId, visitor }) => `${saltId} ${visitor}`);
  return { clicks: counted.length, visitors: new Set(people).size, excluded: Object.fromEntries(excluded) };
}

function shown({ clicks, visitors, excluded }: Metrics): ReturnType<typeof truth> {
  return {
    clicks,
    visitors: visitors?.value ?? Number.NaN,
    excluded: Object.fromEntries(excluded.map(({ trafficClass, count }) => [trafficClass, count])),
  };
}

const anyTime = fc.integer({ min: START, max: NOW - 1 });
const anyClick = fc
  .record({
    timeMs: fc.oneof(
      anyTime,
      // Where parts begin and end.
      anyTime.map((time) => Math.round(time / (HOUR_MS / 4)) * (HOUR_MS / 4)).filter((time) => time < NOW),
    ),
    tenantId: fc.constantFrom('ten_1', 'ten_1', 'ten_2'),
    linkId: fc.constantFrom('lnk_1', 'lnk_2', 'lnk_3'),
    trafficClass: fc.constantFrom('HUMAN', 'HUMAN', 'HUMAN', ...TRAFFIC_CLASSES),
    visitor: fc.option(fc.bigInt({ min: 1n, max: 6n }), { nil: undefined }),
    country: fc.constantFrom('DE', 'CN', 'US', ''),
    device: fc.constantFrom('IOS', 'DESKTOP', 'OTHER'),
    browser: fc.constantFrom('Chrome', 'Mobile Safari', ''),
    os: fc.constantFrom('iOS', 'Windows', ''),
    referrer: fc.constantFrom('t.co', 'a$b.example', 'constructor', '__proto__', ''),
    language: fc.constantFrom('de', 'zh-CN', ''),
    trigger: fc.constantFrom('link', 'qr'),
    targetVersion: fc.integer({ min: 1, max: 3 }),
    channel: fc.constantFrom('DIRECT' as const, 'EMAIL' as const),
  })
  .map(({ device, browser, os, ...rest }) => click({ ...rest, client: { device, browser, os } }));

const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    dimension: fc.constant('COUNTRY' as const),
    operator: fc.constantFrom('IS' as const, 'IS_NOT' as const),
    values: fc.uniqueArray(fc.constantFrom('DE', 'CN', UNKNOWN), { minLength: 1 }),
  }),
  fc.record({
    dimension: fc.constantFrom('BROWSER' as const, 'REFERRER' as const),
    operator: fc.constantFrom('CONTAINS' as const, 'STARTS_WITH' as const),
    values: fc.uniqueArray(fc.constantFrom('c', 'SAFARI', 'm', 'a$b', '.'), { minLength: 1 }),
  }),
  fc.record({
    dimension: fc.constant('TARGET_VERSION' as const),
    operator: fc.constantFrom('IS' as const, 'IS_NOT' as const),
    values: fc.uniqueArray(fc.constantFrom('1', '2', '9'), { minLength: 1 }),
  }),
  fc.record({
    dimension: fc.constant('TRIGGER' as const),
    operator: fc.constantFrom('IS' as const, 'IS_NOT' as const),
    values: fc.constant(['QR']),
  }),
);

/** Up to now, or between two instants, at boundaries or not. */
const anySpan = fc.tuple(anyTime, anyTime, fc.constantFrom(1, 1_000, HOUR_MS / 4, HOUR_MS)).map(([a, b, unit]) => ({
  from: Math.floor(Math.min(a, b) / unit) * unit,
  to: (Math.floor(Math.max(a, b) / unit) + 1) * unit,
}));

const anyQuestion = fc.record({
  scope: fc.record({
    tenantId: fc.constant('ten_1'),
    linkIds: fc.option(fc.uniqueArray(fc.constantFrom('lnk_1', 'lnk_2', 'lnk_9'), { minLength: 1 }), {
      nil: undefined,
    }),
  }),
  span: anySpan,
  compared: fc.option(anySpan, { nil: undefined }),
  timeZone: fc.constantFrom(...ZONES),
  weekStart: fc.constantFrom('MONDAY' as const, 'SUNDAY' as const),
  traffic: fc.oneof(fc.constant(['HUMAN'] as const), fc.subarray([...TRAFFIC_CLASSES], { minLength: 1 })),
  filters: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(anyFilter, { minLength: 1, maxLength: 2 }) },
  ),
});

const dimensions = Object.keys(DIMENSIONS) as Dimension[];

describe('statistics', () => {
  it('equal what each click says, in every panel, zone, range, traffic and filter, and add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyClick, { maxLength: 80 }), anyQuestion, async (clicks, given) => {
        await empty();
        await append(clicks);
        const panels: Panel[] = [
          TOTALS,
          ...GRANULARITIES.map((granularity): Panel => ({ kind: 'series', granularity, ...WANTS })),
          ...dimensions.flatMap((dimension) => [breakdown(dimension), breakdown(dimension, WANTS)]),
        ];
        const question = ask({ ...given, panels });
        const answer = await analytics.answer(question);
        const mine = chosen(clicks, question, given.span);
        const before = given.compared && chosen(clicks, question, given.compared);

        const totals = panel(answer, 0, 'totals');
        expect(shown(totals.metrics)).toEqual(truth(mine, question));
        expect(totals.previous && shown(totals.previous)).toEqual(before && truth(before, question));

        for (const [i, granularity] of GRANULARITIES.entries()) {
          const rule = { granularity, timeZone: given.timeZone, weekStart: given.weekStart };
          const expected = calendarBuckets(given.span, rule, 10_000)!;
          const { buckets } = panel(answer, 1 + i, 'series');
          expect(buckets.map(({ start, end }) => ({ start: start.getTime(), end: end.getTime() }))).toEqual(expected);
          for (const [k, bucket] of buckets.entries()) {
            const within = mine.filter(({ timeMs }) => timeMs >= expected[k]!.start && timeMs < expected[k]!.end);
            expect(shown(bucket.metrics)).toEqual(truth(within, question));
            expect(bucket.partial).toBe(expected[k]!.start < given.span.from || expected[k]!.end > given.span.to);
          }
        }

        for (const [i, dimension] of dimensions.entries()) {
          const plain = panel(answer, 6 + 2 * i, 'breakdown');
          const full = panel(answer, 7 + 2 * i, 'breakdown');
          const counted = mine.filter(({ trafficClass }) =>
            (given.traffic as readonly string[]).includes(trafficClass),
          );
          const values = new Map<string, Click[]>();
          for (const each of mine) {
            const key = dimensionValue(each, dimension) || UNKNOWN;
            values.set(key, [...(values.get(key) ?? []), each]);
          }
          const expected = [...values]
            .map(([key, each]) => [key, truth(each, question)] as const)
            .filter(([, { clicks }]) => clicks > 0);
          expect(new Map(plain.rows.map((row) => [row.key, row.metrics.clicks]))).toEqual(
            new Map(expected.map(([key, { clicks }]) => [key, clicks])),
          );
          if (dimension !== 'TRAFFIC_CLASS') {
            expect(new Map(full.rows.map((row) => [row.key, shown(row.metrics)]))).toEqual(new Map(expected));
          }
          expect(plain.total).toBe(counted.length);
          expect(plain.distinctValues).toBe(expected.filter(([key]) => key !== UNKNOWN).length);
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('of adjoining ranges add up to those of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyClick, { maxLength: 60 }), anySpan, anyTime, async (clicks, span, cut) => {
        const middle = Math.min(Math.max(cut, span.from + 1), span.to - 1);
        fc.pre(middle > span.from && middle < span.to);
        await empty();
        await append(clicks);
        const metrics = async (part: TimeSpan) =>
          panel(await analytics.answer(ask({ span: part, panels: [TOTALS] })), 0, 'totals').metrics;
        const [whole, left, right] = [
          await metrics(span),
          await metrics({ from: span.from, to: middle }),
          await metrics({ from: middle, to: span.to }),
        ];
        expect(left.clicks + right.clicks).toBe(whole.clicks);
        const [a, b, c] = [left.visitors!.value, right.visitors!.value, whole.visitors!.value];
        expect(c).toBeGreaterThanOrEqual(Math.max(a, b));
        expect(c).toBeLessThanOrEqual(a + b);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('change in the part of a late click alone', async () => {
    await append([click({ timeMs: START + HOUR_MS }), click({ timeMs: START + 30 * HOUR_MS })]);
    const question = ask({ panels: [{ kind: 'series', granularity: 'DAY', visitors: false, excluded: false }] });
    const before = panel(await analytics.answer(question), 0, 'series').buckets;
    await append([click({ timeMs: START + 2 * HOUR_MS })]);
    const after = panel(await analytics.answer(question), 0, 'series').buckets;
    expect(after.map((bucket, i) => bucket.metrics.clicks - before[i]!.metrics.clicks)).toEqual([1, 0, 0, 0, 0, 0]);
  });

  it('up to now begin with the first click and hold one of a clock that runs ahead', async () => {
    await append([click({ timeMs: START + HOUR_MS + 5 }), click({ timeMs: NOW + 60_000 })]);
    const span = { from: undefined, to: undefined };
    const panels: Panel[] = [TOTALS, { kind: 'series', granularity: 'DAY', visitors: false, excluded: false }];
    const answer = await analytics.answer(ask({ span, panels }));
    const visitors = { value: 2, method: 'SUM_OF_WINDOWS', relativeError: undefined };
    expect(panel(answer, 0, 'totals').metrics).toMatchObject({ clicks: 2, visitors });
    const { buckets } = panel(answer, 1, 'series');
    expect(buckets.map(({ metrics }) => metrics.clicks)).toEqual([1, 0, 0, 0, 0, 1]);
    expect(buckets[0]!.start).toEqual(new Date(START));
  });

  it('of a tenant without clicks are nothing, in every panel', async () => {
    const span = { from: undefined, to: undefined };
    const panels: Panel[] = [TOTALS, { kind: 'series', granularity: 'DAY', ...WANTS }, breakdown('COUNTRY')];
    const answer = await analytics.answer(ask({ span, panels }));
    expect(panel(answer, 0, 'totals').metrics.clicks).toBe(0);
    expect(panel(answer, 1, 'series').buckets).toEqual([]);
    expect(panel(answer, 2, 'breakdown')).toMatchObject({ rows: [], distinctValues: 0, hasMore: false, total: 0 });
  });
});

describe('a range of 90 days', () => {
  it('is answered from its first millisecond on, though it was asked for a moment ago', async () => {
    await append([click({ timeMs: NOW - 90 * DAY_MS + 1 }), click({ timeMs: NOW - 90 * DAY_MS - 1 })]);
    const span = { from: NOW - 90 * DAY_MS, to: undefined };
    const answer = await analyticsAt(NOW + 2_000).answer(ask({ span, panels: [TOTALS, breakdown('COUNTRY', WANTS)] }));
    expect(panel(answer, 0, 'totals').metrics.clicks).toBe(1);
    expect(panel(answer, 1, 'breakdown').total).toBe(1);
  });
});

describe('a breakdown', () => {
  it('walks all values page by page in each order, and each page adds up to the total', async () => {
    const counts = { DE: 5, CN: 3, US: 3, FR: 1, '': 4 };
    await append(Object.entries(counts).flatMap(([country, n]) => Array.from({ length: n }, () => click({ country }))));
    const orders = {
      CLICKS_DESC: ['DE', 'CN', 'US', 'FR'],
      CLICKS_ASC: ['FR', 'CN', 'US', 'DE'],
      KEY_ASC: ['CN', 'DE', 'FR', 'US'],
    } as const;
    for (const [order, expected] of Object.entries(orders)) {
      const keys: string[] = [];
      let after = '';
      for (let more = true; more; ) {
        const one = breakdown('COUNTRY', { order: order as keyof typeof orders, first: 3, after });
        const page = panel(await analytics.answer(ask({ panels: [one] })), 0, 'breakdown');
        const values = page.rows.filter(({ kind }) => kind === 'VALUE');
        keys.push(...values.map(({ key }) => key));
        expect(page.rows.reduce((sum, { metrics }) => sum + metrics.clicks, 0)).toBe(16);
        expect(page.rows.find(({ kind }) => kind === 'UNKNOWN')?.metrics.clicks).toBe(4);
        expect(page.distinctValues).toBe(4);
        after = values.at(-1)?.cursor ?? '';
        more = page.hasMore;
      }
      expect(keys).toEqual(expected);
    }
  });

  it('refuses a cursor of another order or of nobody, and leaves the other panels alone', async () => {
    await append([click()]);
    const first = panel(await analytics.answer(ask({ panels: [breakdown('COUNTRY')] })), 0, 'breakdown');
    const cursor = first.rows[0]!.cursor;
    const panels = [
      breakdown('COUNTRY', { order: 'KEY_ASC', after: cursor }),
      breakdown('COUNTRY', { after: 'nonsense' }),
      TOTALS,
    ];
    const answer = await analytics.answer(ask({ panels }));
    for (const i of [0, 1]) {
      expect(panel(answer, i, 'failure').problem).toMatchObject({ code: 'INVALID_ARGUMENT', path: ['after'] });
    }
    expect(panel(answer, 2, 'totals').metrics.clicks).toBe(1);
  });

  it('is exact beyond the values that an hour keeps, as long as single clicks are there, and says so after', async () => {
    const clicks = Array.from({ length: MAX_KEYS + 20 }, (_, i) => click({ referrer: `r${i}.example` }));
    await append(clicks);
    const question = ask({ panels: [breakdown('REFERRER', { first: 100 })] });
    const exact = await analytics.answer(question);
    expect(exact.quality).toMatchObject({ exact: true, source: 'MIXED' });
    expect(panel(exact, 0, 'breakdown').distinctValues).toBe(MAX_KEYS + 20);
    const later = await analyticsAt(NOW + 91 * DAY_MS).answer(question);
    expect(later.quality).toMatchObject({ exact: false, source: 'ROLLUP' });
    const { rows, distinctValues } = panel(later, 0, 'breakdown');
    expect(distinctValues).toBe(MAX_KEYS);
    expect(rows.find(({ key }) => key === OTHER)?.metrics.clicks).toBe(MAX_KEYS + 20 - 100);
  });
});

describe('a question that can not be answered exactly', () => {
  const late = () => analyticsAt(NOW + 91 * DAY_MS);

  it('is refused where only roll-ups are left and they don’t tell, panel by panel', async () => {
    await append([click({ timeMs: START + 20 * 60_000 })]);
    await observer.db('test').collection('events_202610').deleteMany({});
    const quarter = { from: START + HOUR_MS / 4, to: NOW };
    const answer = await late().answer(
      ask({ span: quarter, panels: [{ ...TOTALS, excluded: false }, breakdown('COUNTRY')] }),
    );
    expect(panel(answer, 0, 'totals').metrics).toMatchObject({ clicks: 1, visitors: undefined });
    expect(panel(answer, 1, 'failure').problem.code).toBe('RANGE_TOO_OLD');
    const odd = ask({ span: { from: START + 1, to: NOW }, panels: [TOTALS] });
    await expect(late().answer(odd)).rejects.toMatchObject({ code: 'RANGE_TOO_OLD' });
  });

  it('leaves out what it would be compared with, and nothing else', async () => {
    await append([click({ timeMs: NOW - 200 * DAY_MS }), click({ timeMs: START })]);
    const panels = [{ ...TOTALS, excluded: false }, breakdown('COUNTRY')];
    const odd = { from: NOW - 200 * DAY_MS - 1, to: NOW - 100 * DAY_MS };
    const answer = await analytics.answer(ask({ compared: odd, panels }));
    expect(panel(answer, 0, 'totals')).toMatchObject({ metrics: { clicks: 1 }, previous: undefined });
    expect(panel(answer, 1, 'breakdown').rows).toMatchObject([{ key: 'DE', previous: undefined }]);
    const whole = { from: NOW - 200 * DAY_MS, to: NOW - 100 * DAY_MS };
    const told = await analytics.answer(ask({ compared: whole, panels }));
    expect(panel(told, 0, 'totals').previous?.clicks).toBe(1);
    expect(panel(told, 1, 'breakdown').rows).toMatchObject([{ key: 'DE', previous: { clicks: 1 } }]);
  });

  it('is refused where filters would need single clicks that are gone', async () => {
    const filters: Filter[] = [{ dimension: 'COUNTRY', operator: 'IS', values: ['DE'] }];
    await expect(late().answer(ask({ filters, panels: [TOTALS] }))).rejects.toMatchObject({ code: 'RANGE_TOO_OLD' });
  });

  it('is refused when a series has too many parts, without the other panels', async () => {
    const span = { from: NOW - 80 * DAY_MS, to: NOW };
    const panels: Panel[] = [{ kind: 'series', granularity: 'QUARTER_HOUR', visitors: false, excluded: false }, TOTALS];
    const answer = await analytics.answer(ask({ span, panels }));
    expect(panel(answer, 0, 'failure').problem).toMatchObject({ code: 'QUERY_TOO_WIDE', path: ['granularity'] });
    expect(panel(answer, 1, 'totals').metrics.clicks).toBe(0);
  });

  it.each([
    ['no traffic', { traffic: [] }, ['traffic']],
    ['an unknown zone', { timeZone: 'Mars/Olympus' }, ['timeZone']],
    ['an offset for a zone', { timeZone: '+08:00' }, ['timeZone']],
    [
      'a filter without values',
      { filters: [{ dimension: 'COUNTRY', operator: 'IS', values: [] }] },
      ['filters', '0', 'values'],
    ],
    [
      'a version that is no number',
      { filters: [{ dimension: 'TARGET_VERSION', operator: 'IS', values: ['x'] }] },
      ['filters', '0', 'values'],
    ],
    ['a range that ends before it begins', { span: { from: NOW, to: START } }, ['range']],
  ] as const)('is refused for %s, with its place', async (_what, given, path) => {
    const question = ask({ ...(given as Partial<Question>), panels: [TOTALS] });
    await expect(analytics.answer(question)).rejects.toMatchObject({ kind: 'INVALID_ARGUMENT', problems: [{ path }] });
  });
});
