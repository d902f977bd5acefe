import type { Dimension } from './dimension.js';

export type FilterOperator = 'IS' | 'IS_NOT' | 'CONTAINS' | 'STARTS_WITH';

/** A click fits when its value is (or is not, contains, starts with) one of these; `(unknown)` stands for no value. */
export interface Filter {
  dimension: Dimension;
  operator: FilterOperator;
  values: readonly string[];
}
