import type { AnalyticsPreset, InputMaybe, TimeRangeInput } from '../gen/graphql.js';
import { parseDateTime } from '../model/date-time.js';
import { AppError } from '../runtime/app-error.js';

/** Half-open [from, to); an end that is absent is not limited. */
export interface TimeRange {
  from: Date | undefined;
  to: Date | undefined;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PRESETS: Record<AnalyticsPreset, number | undefined> = {
  LAST_60_MIN: 60 * MINUTE,
  LAST_24H: DAY,
  LAST_7D: 7 * DAY,
  LAST_30D: 30 * DAY,
  LAST_90D: 90 * DAY,
  ALL: undefined,
};

/** A span as a caller wrote it, from `now` on back for a preset. @throws AppError DATE_INVALID, DATE_ORDER */
export function timeRange(input: InputMaybe<TimeRangeInput> | undefined, now: number): TimeRange {
  if (input?.between) {
    const from = instant(input.between.from, 'from');
    const to = instant(input.between.to, 'to');
    if (to <= from) throw fault('DATE_ORDER', 'to must be later than from.', 'to');
    return { from, to };
  }
  const length = PRESETS[input?.preset ?? 'ALL'];
  return { from: length === undefined ? undefined : new Date(now - length), to: undefined };
}

function instant(text: string, name: string): Date {
  const date = parseDateTime(text);
  if (date) return date;
  throw fault('DATE_INVALID', `${name} is not an RFC 3339 date and time with a zone, like 2030-01-31T18:00:00Z.`, name);
}

function fault(code: string, message: string, name: string): AppError {
  return new AppError('INVALID_ARGUMENT', { code, message, path: ['range', 'between', name] });
}
