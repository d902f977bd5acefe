import type { TimeSpan } from '../../../model/time-span.js';
import { HOUR_MS, QUARTER_MS } from '../store/rollup.js';

/** A span cut into what roll-ups hold whole and what is left at its ends. */
export interface SplitSpan {
  /** Undefined when there is no whole one in it. */
  whole: TimeSpan | undefined;
  /** At most two, none empty. */
  ends: TimeSpan[];
}

export function splitAtHours(span: TimeSpan): SplitSpan {
  return split(span, HOUR_MS);
}

export function splitAtQuarters(span: TimeSpan): SplitSpan {
  return split(span, QUARTER_MS);
}

function split({ from, to }: TimeSpan, unit: number): SplitSpan {
  const [first, last] = [Math.ceil(from / unit) * unit, Math.floor(to / unit) * unit];
  if (first >= last) return { whole: undefined, ends: from < to ? endsWithin(from, to, first) : [] };
  const ends = [
    { from, to: first },
    { from: last, to },
  ];
  return { whole: { from: first, to: last }, ends: ends.filter((end) => end.from < end.to) };
}

/** Less than a unit: cut where a unit begins in it, so that each end lies within one. */
function endsWithin(from: number, to: number, boundary: number): TimeSpan[] {
  if (boundary <= from || boundary >= to) return [{ from, to }];
  return [
    { from, to: boundary },
    { from: boundary, to },
  ];
}
