import type { TimeSpan } from '../../model/time-span.js';
import { AppError } from '../../runtime/app-error.js';
import { addCounts, type ClassCounts, clicksOf } from './analytics/class-counts.js';
import { splitAtHours } from './analytics/span-split.js';
import type { Freshness } from './freshness.js';
import { RAW_READABLE_MS } from './retention.js';
import type { ClickReader } from './store/click-reader.js';
import { HOUR_MS } from './store/rollup.js';
import type { Scope } from './store/scope.js';
import type { StatsStore } from './store.js';
import { MAX_EXACT } from './visitors.js';

const MAX_LINKS = 100;
const FOREVER = Date.UTC(9999, 0);

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
  readonly #store: Pick<StatsStore, 'read'>;
  readonly #freshness: Pick<Freshness, 'asOf'>;

  constructor(store: Pick<StatsStore, 'read'>, freshness: Pick<Freshness, 'asOf'>) {
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
    const scope = { tenantId, linkIds: [...new Set(linkIds)] };
    const span = { from: from?.getTime() ?? 0, to: to?.getTime() ?? FOREVER };
    const counts =
      linkIds.length === 0 ? new Map() : await this.#store.read((reader) => countLinks(reader, scope, span));
    return { totals: linkIds.map((linkId) => counts.get(linkId) ?? { linkId, ...NOTHING }), asOf };
  }
}

const NOTHING = { total: 0, human: 0, bot: 0, unique: 0 };

/** By link; one without clicks is left out. */
async function countLinks(reader: ClickReader, scope: Scope, span: TimeSpan): Promise<Map<string, LinkTotals>> {
  const { whole, ends } = splitAtHours(span);
  const found = whole ? await reader.hoursByLink(scope, whole) : [];
  for (const end of ends) found.push(...(await reader.rawByValue({ scope, span: end, filters: [] }, 'LINK')));
  const links = new Map<string, ClassCounts>();
  for (const { value, trafficClass, clicks } of found) {
    const counts = links.get(value) ?? {};
    addCounts(counts, { [trafficClass]: clicks });
    links.set(value, counts);
  }
  const totals = new Map<string, LinkTotals>();
  for (const [linkId, counts] of links) {
    const [human, bot] = [clicksOf(counts, ['HUMAN']), clicksOf(counts, ['BOT', 'PREVIEW'])];
    totals.set(linkId, { linkId, total: human + bot, human, bot, unique: undefined });
  }
  await addUnique(reader, scope.tenantId, span, totals);
  return totals;
}

/** Where visitors can be counted one by one, and all people that the roll-ups count are still there for it. */
async function addUnique(
  reader: ClickReader,
  tenantId: string,
  span: TimeSpan,
  totals: ReadonlyMap<string, LinkTotals>,
): Promise<void> {
  const few = [...totals.values()].filter(({ human }) => human < MAX_EXACT);
  if (few.length === 0) return;
  const scope = { tenantId, linkIds: few.map(({ linkId }) => linkId) };
  const found = await reader.visitorsByValue({ scope, span, filters: [], classes: ['HUMAN'] }, 'LINK');
  const people = new Map(found.map((each) => [each.value, each]));
  for (const total of few) {
    const { clicks, visitors } = people.get(total.linkId) ?? { clicks: 0, visitors: 0 };
    if (clicks === total.human) total.unique = visitors;
  }
}

/** Of times whose clicks are gone only the roll-ups are left: refused rather than rounded. */
function requireWholeHours(edge: Date | undefined, name: string): void {
  if (!edge || edge.getTime() % HOUR_MS === 0 || edge.getTime() >= Date.now() - RAW_READABLE_MS) return;
  throw invalid('Longer ago than 90 days a range can begin and end only at a full hour (UTC).', name);
}

function invalid(message: string, field: string): AppError {
  return new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path: [field] });
}
