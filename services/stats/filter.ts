import type { Dimension } from './dimension.js';

export const FILTER_OPERATORS = ['IS', 'IS_NOT', 'CONTAINS', 'STARTS_WITH'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A click fits when its value is (or is not, contains, starts with) one of these; `(unknown)` stands for no value. */
export interface Filter {
  dimension: Dimension;
  operator: FilterOperator;
  values: readonly string[];
}
