import { type CalendarBucket, calendarBuckets, type Granularity } from '../../../model/calendar-bucket.js';
import type { TimeSpan } from '../../../model/time-span.js';
import { AppError } from '../../../runtime/app-error.js';
import type { TrafficClass } from '../enrich/traffic-class.js';
import type { Bucket, Visitors } from './answer.js';
import { type ClassCounts, metricsOf } from './class-counts.js';
import type { Question } from './question.js';

/** A chart shows no more; a month of quarter hours has 2,976. */
const MAX_BUCKETS = 3_000;

/** @throws AppError QUERY_TOO_WIDE */
export function bucketsOf(
  span: TimeSpan,
  granularity: Granularity,
  { timeZone, weekStart }: Pick<Question, 'timeZone' | 'weekStart'>,
): CalendarBucket[] {
  if (span.from >= span.to) return [];
  const buckets = calendarBuckets(span, { granularity, timeZone, weekStart }, MAX_BUCKETS);
  if (buckets) return buckets;
  const message = `The range has more than ${MAX_BUCKETS} parts of ${granularity}. Ask for a shorter one or longer parts.`;
  throw new AppError('INVALID_ARGUMENT', { code: 'QUERY_TOO_WIDE', message, path: ['granularity'] });
}

export interface SeriesRequest {
  span: TimeSpan;
  /** Up to when the numbers are complete. */
  completeUntil: number;
  traffic: readonly TrafficClass[];
  excluded: boolean;
  buckets: readonly CalendarBucket[];
  counts: readonly ClassCounts[];
  /** Of the compared span, by the same index. */
  previous: readonly ClassCounts[] | undefined;
  visitors: readonly (Visitors | undefined)[] | undefined;
}

export function seriesOf(request: SeriesRequest): Bucket[] {
  const { span, completeUntil, traffic, excluded, buckets, counts, previous, visitors } = request;
  const end = Math.min(span.to, completeUntil);
  return buckets.map((bucket, i) => {
    const before = previous?.[i];
    return {
      start: new Date(bucket.start),
      end: new Date(bucket.end),
      partial: bucket.start < span.from || bucket.end > end,
      metrics: metricsOf(counts[i] ?? {}, traffic, excluded, visitors?.[i]),
      previous: before && metricsOf(before, traffic, excluded),
    };
  });
}
