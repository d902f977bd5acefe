import { AppError } from '../../runtime/app-error.js';
import type { Freshness } from './freshness.js';
import { RAW_RETENTION_MS } from './ingest.js';
import { HOUR_MS } from './store/rollup.js';
import type { StatsStore } from './store.js';

const MAX_LINKS = 100;

export interface LinkTotals {
  linkId: string;
  /** human + bot: visits that are neither HEAD nor a prefetch. */
  total: number;
  human: number;
  bot: number;
  unique?: number | undefined;
}

export interface TotalsAnswer {
  totals: LinkTotals[];
  asOf: Date | undefined;
}

/** Clicks of links as one number each. */
export class Totals {
  readonly #store: Pick<StatsStore, 'totals'>;
  readonly #freshness: Pick<Freshness, 'asOf'>;

  constructor(store: Pick<StatsStore, 'totals'>, freshness: Pick<Freshness, 'asOf'>) {
    this.#store = store;
    this.#freshness = freshness;
  }

  /**
   * One answer for each id, in their order. A link of another tenant has no click under this one, hence zeros.
   * @throws AppError INVALID_ARGUMENT
   */
  async of(tenantId: string, linkIds: readonly string[], from?: Date, to?: Date): Promise<TotalsAnswer> {
    if (linkIds.length > MAX_LINKS) throw invalid(`At most ${MAX_LINKS} links can be asked for at once.`, 'linkIds');
    if (from && to && from > to) throw invalid('The range ends before it begins.', 'to');
    requireWholeHours(from, 'from');
    requireWholeHours(to, 'to');
    // First: what is committed while we read may be missing, and then must not be claimed.
    const asOf = await this.#freshness.asOf();
    const range = { from: from?.getTime(), to: to?.getTime() };
    const counts = await this.#store.totals(tenantId, [...new Set(linkIds)], range);
    const totals = linkIds.map((linkId) => {
      const { human, bot, unique } = counts.get(linkId) ?? { human: 0, bot: 0, unique: 0 };
      return { linkId, total: human + bot, human, bot, unique };
    });
    return { totals, asOf };
  }
}

/** Of times whose clicks are gone only the roll-ups are left: refused rather than rounded. */
function requireWholeHours(edge: Date | undefined, name: string): void {
  if (!edge || edge.getTime() % HOUR_MS === 0 || edge.getTime() >= Date.now() - RAW_RETENTION_MS) return;
  throw invalid('Longer ago than 90 days a range can begin and end only at a full hour (UTC).', name);
}

function invalid(message: string, field: string): AppError {
  return new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path: [field] });
}
