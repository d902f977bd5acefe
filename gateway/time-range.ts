import type { InputMaybe, TimeRangeInput } from '../gen/graphql.js';
import { parseDateTime } from '../model/date-time.js';
import { presetSpan } from '../model/time-span.js';
import { AppError } from '../runtime/app-error.js';

/** Half-open [from, to), milliseconds since 1970; an end that is absent is not limited. */
export interface TimeRange {
  from: number | undefined;
  to: number | undefined;
}

/**
 * A span as a caller wrote it; by default all time.
 * @param path where it was written
 * @throws AppError DATE_INVALID, DATE_ORDER
 */
export function timeRange(
  input: InputMaybe<TimeRangeInput> | undefined,
  now: number,
  timeZone: string,
  path: readonly string[],
): TimeRange {
  if (!input?.between) {
    const { from, to } = presetSpan(input?.preset ?? 'ALL', now, timeZone);
    // Whatever is known by then is of the time before now, even where a clock runs ahead.
    return { from, to: to === now ? undefined : to };
  }
  const at = [...path, 'between'];
  const from = instant(input.between.from, 'from', at);
  const to = instant(input.between.to, 'to', at);
  if (to <= from) throw fault('DATE_ORDER', 'to must be later than from.', [...at, 'to']);
  return { from, to };
}

function instant(text: string, name: string, path: readonly string[]): number {
  const date = parseDateTime(text);
  if (date) return date.getTime();
  const message = `${name} is not an RFC 3339 date and time with a zone, like 2030-01-31T18:00:00Z.`;
  throw fault('DATE_INVALID', message, [...path, name]);
}

function fault(code: string, message: string, path: string[]): AppError {
  return new AppError('INVALID_ARGUMENT', { code, message, path });
}
