import type { Granularity, Weekday } from '../../../model/calendar-bucket.js';
import type { TimeSpan } from '../../../model/time-span.js';
import type { Dimension } from '../dimension.js';
import type { TrafficClass } from '../enrich/traffic-class.js';
import type { Filter } from '../filter.js';
import type { Scope } from '../store/scope.js';

/** All panels of one page of statistics: they share scope, span, filters and the moment that they show. */
export interface Question {
  scope: Scope;
  /** Without `from` it begins with the first click, without `to` it ends now. */
  span: { from: number | undefined; to: number | undefined };
  compared: TimeSpan | undefined;
  timeZone: string;
  weekStart: Weekday;
  /** What counts as a click. */
  traffic: readonly TrafficClass[];
  filters: readonly Filter[];
  panels: readonly Panel[];
}

export type RowOrder = 'CLICKS_DESC' | 'CLICKS_ASC' | 'KEY_ASC';

/** What its metrics show besides clicks. */
interface Wants {
  visitors: boolean;
  excluded: boolean;
}

export type TotalsPanel = Wants & { kind: 'totals' };
export type SeriesPanel = Wants & { kind: 'series'; granularity: Granularity };
export type BreakdownPanel = Wants & {
  kind: 'breakdown';
  dimension: Dimension;
  order: RowOrder;
  first: number;
  /** Cursor of the row before; '' for the first page. */
  after: string;
};
export type Panel = TotalsPanel | SeriesPanel | BreakdownPanel;
