import type { TrafficClass } from '../enrich/traffic-class.js';
import { OTHER, UNKNOWN } from '../store/rollup.js';
import type { Row, Visitors } from './answer.js';
import { addCounts, type ClassCounts, clicksOf, metricsOf } from './class-counts.js';
import { type Position, readCursor, writeCursor } from './cursor.js';
import type { BreakdownPanel, RowOrder } from './question.js';

export interface Page {
  rows: Row[];
  distinctValues: number;
  hasMore: boolean;
  total: number;
}

export interface RowsRequest {
  panel: Pick<BreakdownPanel, 'order' | 'first' | 'after' | 'excluded'>;
  traffic: readonly TrafficClass[];
  values: ReadonlyMap<string, ClassCounts>;
  previous: ReadonlyMap<string, ClassCounts> | undefined;
  /** Visitors by value, when they were asked for and could be counted. */
  visitors: ((value: string) => Visitors) | undefined;
}

/**
 * One page of values. Each page adds up to the total: UNKNOWN has a row of its own whatever its size, and OTHER is all that
 * has no row on this page.
 * @throws AppError INVALID_ARGUMENT for a cursor that is none
 */
export function pageOfRows({ panel, traffic, values, previous, visitors }: RowsRequest): Page {
  const count = (counts: ClassCounts | undefined) => clicksOf(counts ?? {}, traffic);
  const metrics = (counts: ClassCounts | undefined, value?: string) =>
    metricsOf(counts ?? {}, traffic, panel.excluded, value === undefined ? undefined : visitors?.(value));
  const row = (key: string, kind: Row['kind'], value: string): Row => ({
    key,
    kind,
    metrics: metrics(values.get(value), value),
    previous: previous && metrics(previous.get(value)),
    cursor: kind === 'VALUE' ? writeCursor(panel.order, { key, clicks: count(values.get(value)) }) : '',
  });

  const compare = ORDERS[panel.order];
  const positions = [...values]
    .map(([key, counts]): Position => ({ key, clicks: count(counts) }))
    .filter(({ key, clicks }) => key !== '' && key !== OTHER && clicks > 0)
    .sort(compare);
  const after = panel.after === '' ? undefined : readCursor(panel.order, panel.after);
  const rest = after ? positions.filter((position) => compare(position, after) > 0) : positions;
  const listed = rest.slice(0, panel.first);

  const rows = listed.map(({ key }) => row(key, 'VALUE', key));
  if (count(values.get('')) > 0) rows.push(row(UNKNOWN, 'UNKNOWN', ''));
  const shown = new Set(['', ...listed.map(({ key }) => key)]);
  const other = sumWithout(values, shown);
  if (count(other) > 0) {
    const before = previous && metrics(sumWithout(previous, shown));
    rows.push({ key: OTHER, kind: 'OTHER', metrics: metrics(other), previous: before, cursor: '' });
  }
  const total = [...values.values()].reduce((sum, counts) => sum + count(counts), 0);
  return { rows, distinctValues: positions.length, hasMore: rest.length > listed.length, total };
}

function sumWithout(values: ReadonlyMap<string, ClassCounts>, without: ReadonlySet<string>): ClassCounts {
  const sum: ClassCounts = {};
  for (const [value, counts] of values) if (!without.has(value)) addCounts(sum, counts);
  return sum;
}

/** Keys are compared by code units: the same everywhere. */
const byKey = (a: Position, b: Position) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
const ORDERS: Record<RowOrder, (a: Position, b: Position) => number> = {
  CLICKS_DESC: (a, b) => b.clicks - a.clicks || byKey(a, b),
  CLICKS_ASC: (a, b) => a.clicks - b.clicks || byKey(a, b),
  KEY_ASC: byKey,
};
