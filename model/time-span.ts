import type { Temporal } from 'temporal-polyfill';
import { onClock } from './time-zone.js';

export const PRESETS = [
  'LAST_60_MIN',
  'TODAY',
  'YESTERDAY',
  'LAST_24H',
  'LAST_7D',
  'LAST_30D',
  'LAST_90D',
  'THIS_MONTH',
  'LAST_MONTH',
  'YTD',
  'ALL',
] as const;
export type Preset = (typeof PRESETS)[number];

export type Comparison = 'NONE' | 'PREVIOUS_PERIOD' | 'SAME_PERIOD_LAST_YEAR';

/** Half-open: `from` belongs to it, `to` doesn't. Milliseconds since 1970. */
export interface TimeSpan {
  from: number;
  to: number;
}

const HOUR = 3_600_000;

/** Hours that end now, whatever the local clock did in the meantime. */
const EXACT_HOURS = { LAST_60_MIN: 1, LAST_24H: 24, LAST_7D: 7 * 24, LAST_30D: 30 * 24, LAST_90D: 90 * 24 };

/**
 * What a preset means at an instant in a zone; `from` is undefined for ALL. TODAY, THIS_MONTH and YTD are empty in the very
 * millisecond in which they begin. A RangeError for an unknown zone.
 */
export function presetSpan(preset: Preset, now: number, timeZone: string): { from: number | undefined; to: number } {
  const clock = onClock(now, timeZone);
  switch (preset) {
    case 'ALL':
      return { from: undefined, to: now };
    case 'TODAY':
      return { from: startOfDay(clock), to: now };
    case 'YESTERDAY':
      return dayBefore(startOfDay(clock), timeZone);
    case 'THIS_MONTH':
      return { from: startOfMonth(clock), to: now };
    case 'LAST_MONTH':
      return monthBefore(startOfMonth(clock), timeZone);
    case 'YTD':
      return { from: startOf(clock.toPlainDate().with({ month: 1, day: 1 }), clock.timeZoneId), to: now };
    default:
      return { from: now - EXACT_HOURS[preset] * HOUR, to: now };
  }
}

/**
 * What a span is compared with. Undefined for NONE, for ALL and for an empty span; never empty itself.
 *
 * PREVIOUS_PERIOD of a calendar preset goes back by its own unit on the wall clock (today until 14:30: yesterday until
 * 14:30) and of any other span by its exact length; it never reaches into the span. SAME_PERIOD_LAST_YEAR takes both edges
 * back a year on the wall clock, 29 February to 28 February; it overlaps the span only if that is longer than a year by it.
 * Where the wall clock leaves nothing (a span inside an hour that is skipped or repeated, a day that the other year
 * doesn't have), the answer is as long as the span is.
 */
export function comparedSpan(
  span: TimeSpan,
  preset: Preset | undefined,
  comparison: Comparison,
  timeZone: string,
): TimeSpan | undefined {
  if (comparison === 'NONE' || preset === 'ALL' || span.from >= span.to) return undefined;
  if (comparison === 'SAME_PERIOD_LAST_YEAR') return yearBack(span, timeZone);
  switch (preset) {
    case 'TODAY':
      return sameDaysOf(dayBefore(span.from, timeZone), span, timeZone);
    case 'YESTERDAY':
      return dayBefore(span.from, timeZone);
    case 'THIS_MONTH':
      return sameDaysOf(monthBefore(span.from, timeZone), span, timeZone);
    case 'LAST_MONTH':
      return monthBefore(span.from, timeZone);
    case 'YTD':
      return yearBack(span, timeZone);
    default:
      return { from: span.from - (span.to - span.from), to: span.from };
  }
}

/** As many days of an earlier span as this one has, the last until the same wall time; all of it if it has fewer. */
function sameDaysOf(earlier: TimeSpan, span: TimeSpan, timeZone: string): TimeSpan {
  const end = onClock(span.to, timeZone);
  const days = onClock(span.from, timeZone).toPlainDate().until(end.toPlainDate()).days;
  const last = onClock(earlier.from, timeZone).toPlainDate().add({ days });
  return notEmpty({ from: earlier.from, to: Math.min(wallTimeOn(last, end), earlier.to) }, span);
}

function yearBack(span: TimeSpan, timeZone: string): TimeSpan {
  const [start, end] = [onClock(span.from, timeZone), onClock(span.to, timeZone)];
  const from = wallTimeOn(start.toPlainDate().subtract({ years: 1 }), start);
  const to = wallTimeOn(end.toPlainDate().subtract({ years: 1 }), end);
  // An edge that falls into a skipped hour moves on by an hour, perhaps into the span.
  const withinYear = start.add({ years: 1 }).epochMilliseconds >= span.to;
  return notEmpty({ from, to: withinYear ? Math.min(to, span.from) : to }, span);
}

function notEmpty(compared: TimeSpan, span: TimeSpan): TimeSpan {
  if (compared.from < compared.to) return compared;
  return { from: compared.from, to: compared.from + (span.to - span.from) };
}

/** The instant of a clock's wall time on another date. The start of a day stays one, whenever the two days start. */
function wallTimeOn(date: Temporal.PlainDate, clock: Temporal.ZonedDateTime): number {
  const timeZone = clock.timeZoneId;
  if (startOfDay(clock) === clock.epochMilliseconds) return startOf(date, timeZone);
  return date.toZonedDateTime({ timeZone, plainTime: clock.toPlainTime() }).epochMilliseconds;
}

/** The last day before an instant that a day begins with: not always the date before, which a zone may have skipped. */
function dayBefore(start: number, timeZone: string): TimeSpan {
  return { from: startOfDay(onClock(start - 1, timeZone)), to: start };
}

function monthBefore(start: number, timeZone: string): TimeSpan {
  return { from: startOfMonth(onClock(start - 1, timeZone)), to: start };
}

function startOfDay(clock: Temporal.ZonedDateTime): number {
  return startOf(clock.toPlainDate(), clock.timeZoneId);
}

function startOfMonth(clock: Temporal.ZonedDateTime): number {
  return startOf(clock.toPlainDate().with({ day: 1 }), clock.timeZoneId);
}

function startOf(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds;
}
