import { localDay, type OffsetStretch, offsetStretches, startOfLocalDay } from './offset-stretch.js';
import type { TimeSpan } from './time-span.js';

export const GRANULARITIES = ['QUARTER_HOUR', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

export const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Half-open, in milliseconds since 1970. */
export interface CalendarBucket {
  start: number;
  end: number;
}

export interface BucketRule {
  granularity: Granularity;
  timeZone: string;
  /** Matters to WEEK alone. */
  weekStart: Weekday;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** No bucket is longer, in milliseconds: some zones have had a calendar day twice. */
const LONGEST: Record<Granularity, number> = {
  QUARTER_HOUR: 15 * MINUTE,
  HOUR: 60 * MINUTE,
  DAY: 2 * DAY,
  WEEK: 8 * DAY,
  MONTH: 32 * DAY,
};

/**
 * The buckets that a span touches, gapless and in order; the first may begin before it, the last end after it. Undefined
 * when there are more than `limit`, which costs no more than `limit` buckets would. A RangeError for an unknown zone.
 *
 * Days, weeks and months begin where the zone's day does, so they may be an hour shorter or longer. Where a clock is set
 * back over midnight (00:01 to 23:01), what it repeats stays with the day that had begun. Hours and quarters begin at the
 * full local ones (a repeated hour is two buckets), and at a transition that moves those, by half an hour for instance.
 * From the year 2000 all edges are multiples of 15 minutes, since all offsets are.
 */
export function calendarBuckets(span: TimeSpan, rule: BucketRule, limit: number): CalendarBucket[] | undefined {
  if (span.from >= span.to) return [];
  const longest = LONGEST[rule.granularity];
  if ((span.to - span.from) / longest > limit) return undefined;
  // The first bucket's start and the last one's end are to be found inside the stretches.
  const stretches = offsetStretches({ from: span.from - longest, to: span.to + longest }, rule.timeZone);
  const edges =
    rule.granularity === 'QUARTER_HOUR' || rule.granularity === 'HOUR'
      ? clockEdges(stretches, longest)
      : dayEdges(localDay(span.from, stretches), rule, stretches);
  return bucketsBetween(edges, span, limit);
}

function bucketsBetween(edges: Iterable<number>, span: TimeSpan, limit: number): CalendarBucket[] | undefined {
  const buckets: CalendarBucket[] = [];
  let start: number | undefined;
  for (const end of edges) {
    // Edges may come from before the span, and twice where a day was skipped.
    if (start !== undefined && end > span.from && end > start) {
      if (buckets.length === limit) return undefined;
      buckets.push({ start, end });
    }
    if (end >= span.to) break;
    start = end;
  }
  return buckets;
}

/** Every full local hour or quarter, and the transitions that shift where those are. */
function* clockEdges(stretches: OffsetStretch[], size: number): Generator<number> {
  let offset = stretches[0]!.offset;
  for (const stretch of stretches) {
    const first = Math.ceil((stretch.from + stretch.offset) / size) * size - stretch.offset;
    if (first > stretch.from && (stretch.offset - offset) % size !== 0) yield stretch.from;
    for (let edge = first; edge < stretch.to; edge += size) yield edge;
    offset = stretch.offset;
  }
}

/** The starts of the days, weeks or months from the one on that has this local day. A skipped day repeats an edge. */
function* dayEdges(first: number, rule: BucketRule, stretches: OffsetStretch[]): Generator<number> {
  for (let day = periodStart(first, rule); ; day = nextPeriod(day, rule.granularity)) {
    yield startOfLocalDay(day, stretches);
  }
}

function periodStart(day: number, { granularity, weekStart }: BucketRule): number {
  if (granularity === 'MONTH') return day + 1 - new Date(day * DAY).getUTCDate();
  if (granularity === 'DAY') return day;
  // Day 0, 1 January 1970, was a Thursday.
  const weekday = day + WEEKDAYS.indexOf('THURSDAY') - WEEKDAYS.indexOf(weekStart);
  return day - (((weekday % 7) + 7) % 7);
}

function nextPeriod(day: number, granularity: Granularity): number {
  if (granularity === 'DAY') return day + 1;
  if (granularity === 'WEEK') return day + 7;
  const date = new Date(day * DAY);
  return date.setUTCMonth(date.getUTCMonth() + 1) / DAY;
}
