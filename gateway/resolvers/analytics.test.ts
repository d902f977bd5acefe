import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Link } from '../../gen/proto/waypost/link/v1/link_service.js';
import {
  CountSource,
  Dimension,
  FilterOperator,
  Granularity,
  type Panel,
  type PanelAnswer,
  type QueryAnalyticsRequest,
  RowKind,
  RowOrder,
  TrafficClass,
  VisitorMethod,
  Weekday,
} from '../../gen/proto/waypost/stats/v1/stats_service.js';
import { AppError } from '../../runtime/app-error.js';
import { link, linkId, type Rig, startRig } from '../rig.js';

const AS_OF = new Date('2030-01-31T10:00:00.000Z');
const METRICS = {
  clicks: 3,
  visitors: { value: 2, method: VisitorMethod.SUM_OF_WINDOWS, relativeError: 0.0081 },
  excluded: [{ trafficClass: TrafficClass.BOT, count: 5 }],
};

let rig: Rig;
let links: Link[] = [];
let failure: AppError | undefined;

function answerTo({ kind }: Panel): PanelAnswer {
  switch (kind?.$case) {
    case 'totals':
      return { kind: { $case: 'totals', value: { metrics: METRICS, previous: { ...METRICS, clicks: 1 } } } };
    case 'series': {
      if (kind.value.granularity === Granularity.QUARTER_HOUR) {
        const value = { code: 'QUERY_TOO_WIDE', message: 'Too many parts.', path: ['granularity'] };
        return { kind: { $case: 'failure', value } };
      }
      const bucket = { start: AS_OF, end: AS_OF, partial: true, metrics: METRICS, previous: undefined };
      return { kind: { $case: 'series', value: { buckets: [bucket] } } };
    }
    case 'breakdown': {
      const key = kind.value.dimension === Dimension.LINK ? linkId(1) : 'CN';
      const row = { metrics: METRICS, previous: undefined };
      const rows = [
        { ...row, key, kind: RowKind.VALUE, cursor: 'cursor of the value' },
        { ...row, key: '(unknown)', kind: RowKind.UNKNOWN, cursor: '' },
        { ...row, key: '(other)', kind: RowKind.OTHER, cursor: '' },
      ];
      return { kind: { $case: 'breakdown', value: { rows, distinctValues: 7, hasMore: true, total: 12 } } };
    }
    default:
      throw new Error('a panel without a kind');
  }
}

beforeAll(async () => {
  rig = await startRig({
    link: { getLinks: async ({ ids }) => ({ links: links.filter(({ id }) => ids.includes(id)) }) },
    stats: {
      async queryAnalytics({ panels }) {
        if (failure) throw failure;
        const quality = {
          asOf: AS_OF,
          exact: true,
          source: CountSource.MIXED,
          retentionFrom: AS_OF,
          droppedAtEdge: 1,
          tooLate: 2 ** 40,
        };
        return { quality, panels: panels.map(answerTo) };
      },
    },
  });
});
afterAll(() => rig.stop());
afterEach(() => {
  links = [];
  failure = undefined;
  rig.calls.length = 0;
});

/** What the stats service was asked, in order. */
function asked(): QueryAnalyticsRequest[] {
  return rig.callsOf('queryAnalytics').map(({ request }) => request as QueryAnalyticsRequest);
}

const ALL_PANELS = `{
  quality { asOf lagSeconds exact source retentionFrom droppedAtEdge tooLate }
  totals { clicks visitors { value method relativeError } excluded { class count } }
  series(granularity: DAY) { start end partial metrics { clicks } previous { clicks } }
  byCountry: breakdown(by: COUNTRY) { dimension distinctValues pageInfo { hasNextPage hasPreviousPage endCursor }
    rows { key label kind share metrics { clicks visitors { value } } } }
  byLink: breakdown(by: LINK, first: 1, after: "c", orderBy: KEY_ASC) { ...Labels }
} }
fragment Labels on AnalyticsBreakdown { rows { label ... { metrics { clicks excluded { class } } } } pageInfo { hasPreviousPage } }`;

describe('analytics', () => {
  it('goes to the stats service in one call, whatever is shown of it', async () => {
    links = [link(1)];
    const { body } = await rig.send(`{ analytics(query: {range: {preset: LAST_7D}}) ${ALL_PANELS}`);
    expect(body.errors).toBeUndefined();
    const { analytics } = body.data;
    expect(analytics.quality).toMatchObject({
      asOf: AS_OF.toISOString(),
      exact: true,
      source: 'MIXED',
      tooLate: 2 ** 40,
    });
    expect(analytics.totals).toEqual({
      clicks: 3,
      visitors: { value: 2, method: 'SUM_OF_WINDOWS', relativeError: 0.0081 },
      excluded: [{ class: 'BOT', count: 5 }],
    });
    expect(analytics.series).toEqual([
      { start: AS_OF.toISOString(), end: AS_OF.toISOString(), partial: true, metrics: { clicks: 3 }, previous: null },
    ]);
    expect(analytics.byCountry).toMatchObject({
      dimension: 'COUNTRY',
      distinctValues: 7,
      pageInfo: { hasNextPage: true, hasPreviousPage: false, endCursor: 'cursor of the value' },
      rows: [
        { key: 'CN', label: 'China', kind: 'VALUE', share: 0.25 },
        { key: '(unknown)', label: 'Unknown', kind: 'UNKNOWN' },
        { key: '(other)', label: 'Other', kind: 'OTHER' },
      ],
    });
    expect(analytics.byLink.rows[0].label).toBe(link(1).shortUrl);
    expect(analytics.byLink.pageInfo.hasPreviousPage).toBe(true);

    const [{ panels } = { panels: [] }, ...others] = asked();
    expect(others).toEqual([]);
    // What is not shown is not counted.
    expect(panels.map(({ visitors, excluded }) => [visitors, excluded])).toEqual([
      [true, true],
      [false, false],
      [true, false],
      [false, true],
    ]);
    expect(panels[3]?.kind?.value).toEqual({
      dimension: Dimension.LINK,
      order: RowOrder.KEY_ASC,
      first: 1,
      after: 'c',
    });
  });

  it('hands on the range, zone, filters, traffic and what it is compared with', async () => {
    const query = `{ range: {between: {from: "2030-01-10T00:00:00+08:00", to: "2030-01-11T00:00:00+08:00"}}, timeZone: "Asia/Shanghai",
      weekStart: SUNDAY, traffic: [BOT, HEAD, BOT], compare: PREVIOUS_PERIOD,
      filters: [{dimension: BROWSER, operator: CONTAINS, values: ["Chrome"]}, {dimension: OS, values: ["iOS"]}] }`;
    const { body } = await rig.send(`{ analytics(query: ${query}) { totals {clicks} previousTotals {clicks} } }`);
    expect(body).toEqual({ data: { analytics: { totals: { clicks: 3 }, previousTotals: { clicks: 1 } } } });
    expect(asked()).toMatchObject([
      {
        linkIds: [],
        span: { from: new Date('2030-01-09T16:00:00Z'), to: new Date('2030-01-10T16:00:00Z') },
        compared: { from: new Date('2030-01-08T16:00:00Z'), to: new Date('2030-01-09T16:00:00Z') },
        timeZone: 'Asia/Shanghai',
        weekStart: Weekday.SUNDAY,
        traffic: [TrafficClass.BOT, TrafficClass.HEAD],
        filters: [
          { dimension: Dimension.BROWSER, operator: FilterOperator.CONTAINS, values: ['Chrome'] },
          { dimension: Dimension.OS, operator: FilterOperator.IS, values: ['iOS'] },
        ],
      },
    ]);
  });

  it('leaves the end open for what goes on up to now, and counts people in UTC by default', async () => {
    await rig.send('{ analytics(query: {range: {preset: TODAY}}) { totals {clicks} previousTotals {clicks} } }');
    const [{ span, traffic, timeZone } = {} as QueryAnalyticsRequest] = asked();
    expect(span?.to).toBeUndefined();
    expect(span?.from?.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect({ traffic, timeZone }).toEqual({ traffic: [TrafficClass.HUMAN], timeZone: 'UTC' });
  });

  it('of a link asks about it alone, and each of a page apart', async () => {
    links = [link(1), link(2)];
    const one = `analytics(query: {range: {preset: ALL}}) { totals {clicks} series(granularity: MONTH) {partial} }`;
    await rig.send(`{ a: link(id: "${linkId(1)}") { ${one} } b: link(id: "${linkId(2)}") { ${one} } }`);
    expect(asked().map(({ linkIds }) => linkIds)).toEqual([[linkId(1)], [linkId(2)]]);
  });

  it('fails in one panel alone where only that can not be answered', async () => {
    const { body } = await rig.send(
      '{ analytics(query: {range: {preset: ALL}}) { totals {clicks} series(granularity: QUARTER_HOUR) {partial} } }',
    );
    expect(body.errors).toMatchObject([
      { path: ['analytics', 'series'], extensions: { code: 'QUERY_TOO_WIDE', argumentPath: ['granularity'] } },
    ]);
  });

  it('names the place in the query of what the stats service refuses', async () => {
    failure = new AppError('INVALID_ARGUMENT', { code: 'RANGE_TOO_OLD', message: 'Too old.', path: ['range'] });
    const { body } = await rig.send('{ analytics(query: {range: {preset: ALL}}) { totals {clicks} } }');
    expect(body.errors[0].extensions).toMatchObject({ code: 'RANGE_TOO_OLD', argumentPath: ['query', 'range'] });
  });

  it.each([
    ['{range: {preset: ALL}, timeZone: "+08:00"}', 'TIME_ZONE_INVALID', ['query', 'timeZone']],
    [
      '{range: {between: {from: "x", to: "2030-01-01T00:00:00Z"}}}',
      'DATE_INVALID',
      ['query', 'range', 'between', 'from'],
    ],
    [
      '{range: {between: {from: "2030-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z"}}}',
      'DATE_ORDER',
      ['query', 'range', 'between', 'to'],
    ],
    ['{range: {preset: ALL}, scope: {linkIds: []}}', 'INVALID_ARGUMENT', ['query', 'scope', 'linkIds']],
    [
      `{range: {preset: ALL}, scope: {linkIds: ["${linkId(1)}", "${linkId(2)}"]}}`,
      'NOT_FOUND',
      ['query', 'scope', 'linkIds', '1'],
    ],
    ['{range: {preset: ALL}, scope: {linkIds: ["nonsense"]}}', 'NOT_FOUND', ['query', 'scope', 'linkIds', '0']],
  ])('refuses %s with %s and its place, and asks nobody', async (query, code, argumentPath) => {
    links = [link(1)];
    const { body } = await rig.send(`{ analytics(query: ${query}) { totals {clicks} } }`);
    expect(body.data).toEqual({ analytics: null });
    expect(body.errors[0].extensions).toMatchObject({ code, argumentPath });
    expect(asked()).toEqual([]);
  });
});
