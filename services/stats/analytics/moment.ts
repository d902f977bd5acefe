import type { RawLimits } from './raw-limits.js';

/** When a question is answered, milliseconds since 1970, and what can be said then. */
export interface Moment {
  now: number;
  /** Every click up to here is in the numbers. */
  asOf: Date | undefined;
  limits: RawLimits;
}
