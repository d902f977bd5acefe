import type { Document } from 'mongodb';
import { DIMENSIONS, type Dimension } from '../dimension.js';
import type { Filter } from '../filter.js';
import { UNKNOWN } from './rollup.js';

/** The conditions of filters on raw clicks: all must hold. */
export function filterConditions(filters: readonly Filter[]): Document[] {
  return filters.map((filter) => ({ [DIMENSIONS[filter.dimension]]: condition(filter) }));
}

function condition({ dimension, operator, values }: Filter): Document {
  switch (operator) {
    case 'IS':
      return { $in: values.map((value) => storedValue(dimension, value)) };
    case 'IS_NOT':
      return { $nin: values.map((value) => storedValue(dimension, value)) };
    case 'CONTAINS':
      return { $in: values.map((value) => new RegExp(literal(value), 'i')) };
    case 'STARTS_WITH':
      return { $in: values.map((value) => new RegExp(`^${literal(value)}`, 'i')) };
  }
}

/** As a raw click has it; an absent field equals null. */
function storedValue(dimension: Dimension, value: string): string | number | null {
  if (value === UNKNOWN) return null;
  if (dimension === 'TARGET_VERSION') return Number(value);
  return dimension === 'TRIGGER' ? value.toLowerCase() : value;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
