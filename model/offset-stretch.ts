import type { TimeSpan } from './time-span.js';
import { onClock } from './time-zone.js';

const DAY = 86_400_000;

/** A time in which a zone's clock isn't changed. All in milliseconds; `offset` is what the local clock shows more than UTC. */
export interface OffsetStretch {
  from: number;
  /** The next transition, or Infinity if none is known. */
  to: number;
  offset: number;
}

/** The stretches that cover a span, in order. The first starts with the span, every other one at a transition. */
export function offsetStretches(span: TimeSpan, timeZone: string): OffsetStretch[] {
  const stretches: OffsetStretch[] = [];
  let clock = onClock(span.from, timeZone);
  for (;;) {
    const next = clock.getTimeZoneTransition('next');
    const to = next?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    stretches.push({ from: clock.epochMilliseconds, to, offset: clock.offsetNanoseconds / 1e6 });
    if (!next || to >= span.to) return stretches;
    clock = next;
  }
}

/**
 * The instant at which a local day starts, as Temporal's `startOfDay` has it: the first midnight if there are two, the
 * transition if there is none. A day that the zone skipped starts together with the next one.
 * Local days are counted from 1970-01-01.
 */
export function startOfLocalDay(day: number, stretches: OffsetStretch[]): number {
  const midnight = day * DAY;
  const stretch = stretches.find(({ to, offset }) => to + offset > midnight);
  if (!stretch) throw new RangeError('the day is after the stretches');
  return Math.max(stretch.from, midnight - stretch.offset);
}

/** The date that the local clock shows at an instant, as a day counted from 1970-01-01. */
export function localDay(instant: number, stretches: OffsetStretch[]): number {
  const stretch = stretches.find(({ to }) => to > instant);
  if (!stretch) throw new RangeError('the instant is after the stretches');
  return Math.floor((instant + stretch.offset) / DAY);
}
