import type { TimeSpan } from '../../../model/time-span.js';
import { AppError } from '../../../runtime/app-error.js';

/** Some 4 s of reading. */
const MAX_RAW = 1_000_000;

/** When single clicks can answer: as long as they are kept, and not too many at once. */
export class RawLimits {
  readonly retentionFrom: number;
  readonly #max: number;

  constructor(retentionFrom: number, max = MAX_RAW) {
    this.retentionFrom = retentionFrom;
    this.#max = max;
  }

  allows(span: TimeSpan, clicks: number): boolean {
    return span.from >= this.retentionFrom && clicks <= this.#max;
  }

  /** @throws AppError RANGE_TOO_OLD, QUERY_TOO_WIDE: refused rather than rounded */
  check(span: TimeSpan, clicks: number): void {
    if (span.from < this.retentionFrom) {
      const message =
        'Single clicks are kept for 90 days. A range that goes back further can begin and end only at full hours (UTC; ' +
        'totals and series: at quarter hours), without filters, and its breakdowns are of people alone.';
      throw new AppError('INVALID_ARGUMENT', { code: 'RANGE_TOO_OLD', message, path: ['range'] });
    }
    if (clicks > this.#max) {
      const message =
        `This would read ${clicks} single clicks; at most ${this.#max} are read for one question. Ask for a shorter range, for ` +
        'fewer links, or without filters.';
      throw new AppError('INVALID_ARGUMENT', { code: 'QUERY_TOO_WIDE', message, path: ['range'] });
    }
  }
}
