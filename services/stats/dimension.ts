import type { Dimension as RollupMap } from './store/rollup.js';

/** What clicks can be split by, and the field of a raw click that holds it. */
export const DIMENSIONS = {
  LINK: 'l',
  COUNTRY: 'co',
  DEVICE: 'dv',
  BROWSER: 'br',
  OS: 'os',
  CHANNEL: 'ch',
  REFERRER: 'rf',
  LANGUAGE: 'la',
  TRAFFIC_CLASS: 'cls',
  TRIGGER: 'tg',
  TARGET_VERSION: 'tv',
} as const;
export type Dimension = keyof typeof DIMENSIONS;

/** The map of the hourly roll-ups that counts people by it; undefined for what is counted otherwise. */
export function rollupMapOf(dimension: Dimension): RollupMap | undefined {
  return dimension === 'LINK' || dimension === 'TRAFFIC_CLASS' ? undefined : DIMENSIONS[dimension];
}

/** A stored value as the API shows it; '' for none. */
export function shownValue(dimension: Dimension, stored: unknown): string {
  const text = stored === undefined || stored === null ? '' : String(stored);
  return dimension === 'TRIGGER' ? text.toUpperCase() : text;
}
