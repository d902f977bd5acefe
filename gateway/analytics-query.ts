import type { AnalyticsQuery, LinkAnalyticsQuery } from '../gen/graphql.js';
import { Dimension, FilterOperator, TrafficClass, Weekday } from '../gen/proto/waypost/stats/v1/stats_service.js';
import { comparedSpan } from '../model/time-span.js';
import { isTimeZone } from '../model/time-zone.js';
import { AppError } from '../runtime/app-error.js';
import type { PageQuery } from './analytics-page.js';
import { timeRange } from './time-range.js';

const DEFAULT_ZONE = 'UTC';

/**
 * A query as the stats service takes it: presets and comparisons become instants, from `now` on back.
 * @throws AppError TIME_ZONE_INVALID, DATE_INVALID, DATE_ORDER, with the path from `query` on
 */
export function pageQuery(
  query: AnalyticsQuery | LinkAnalyticsQuery,
  linkIds: readonly string[],
  now: number,
): PageQuery {
  const timeZone = query.timeZone ?? DEFAULT_ZONE;
  if (!isTimeZone(timeZone)) {
    const message = 'timeZone is not an IANA time zone, like Asia/Shanghai.';
    throw new AppError('INVALID_ARGUMENT', { code: 'TIME_ZONE_INVALID', message, path: ['query', 'timeZone'] });
  }
  const { from, to } = timeRange(query.range, now, timeZone, ['query', 'range']);
  const preset = query.range.preset ?? undefined;
  const compared =
    from === undefined ? undefined : comparedSpan({ from, to: to ?? now }, preset, query.compare ?? 'NONE', timeZone);
  return {
    linkIds: [...linkIds],
    span: { from: dateOf(from), to: dateOf(to) },
    compared: compared && { from: new Date(compared.from), to: new Date(compared.to) },
    timeZone,
    weekStart: Weekday[query.weekStart ?? 'MONDAY'],
    traffic: [...new Set(query.traffic ?? ['HUMAN' as const])].map((name) => TrafficClass[name]),
    filters: (query.filters ?? []).map(({ dimension, operator, values }) => ({
      dimension: Dimension[dimension],
      operator: FilterOperator[operator ?? 'IS'],
      values: [...values],
    })),
  };
}

function dateOf(time: number | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(time);
}
