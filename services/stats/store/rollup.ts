import type { Click } from '../clicks.js';
import type { TrafficClass } from '../enrich/traffic-class.js';

export const HOUR_MS = 3_600_000;
export const QUARTER_MS = HOUR_MS / 4;
/** Keys of one map in one document; the rest is counted as OTHER. */
export const MAX_KEYS = 200;
export const OTHER = '(other)';
/** An empty key can't be part of a path. No real value has brackets. */
export const UNKNOWN = '(unknown)';

/** What is counted of people, by the name of its map: country, device, browser, system, referrer, language, trigger, version, channel. */
export const DIMENSIONS = ['co', 'dv', 'br', 'os', 'rf', 'la', 'tg', 'tv', 'ch'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** In the order of the fields: keys are compared as they are. `l` is a link, or a partition as `partitionKey` writes it. */
export interface RollupKey {
  te: string;
  l: string;
  h: Date;
}

/** All that one batch adds to one hour of one link, or of one tenant in one partition. */
export interface RollupDelta {
  key: RollupKey;
  classes: Map<TrafficClass, number>;
  /** By quarter hour and class: `2.HUMAN`. */
  quarters: Map<string, number>;
  maps: Record<Dimension, Map<string, number>>;
}

/** No link id begins so. Each partition has its own, so that two partitions never write one document. */
export function partitionKey(partition: number): string {
  return `-${partition}`;
}

export function deltasOf(clicks: readonly Click[], partition: number): RollupDelta[] {
  const deltas = new Map<string, RollupDelta>();
  for (const click of clicks) {
    const keys = click.trafficClass === 'HUMAN' ? keysOf(click) : undefined;
    add(deltas, click, click.linkId, keys);
    add(deltas, click, partitionKey(partition), keys);
  }
  return [...deltas.values()];
}

/** @param keys of people, in the maps of DIMENSIONS */
function add(deltas: Map<string, RollupDelta>, click: Click, l: string, keys: readonly string[] | undefined): void {
  const hour = click.timeMs - (click.timeMs % HOUR_MS);
  const name = `${click.tenantId} ${l} ${hour}`;
  let delta = deltas.get(name);
  if (!delta) {
    delta = emptyDelta({ te: click.tenantId, l, h: new Date(hour) });
    deltas.set(name, delta);
  }
  const { classes, quarters, maps } = delta;
  const quarter = Math.floor((click.timeMs % HOUR_MS) / QUARTER_MS);
  increase(classes, click.trafficClass);
  increase(quarters, `${quarter}.${click.trafficClass}`);
  if (!keys) return;
  for (let i = 0; i < keys.length; i++) increase(maps[DIMENSIONS[i] as Dimension], keys[i] as string);
}

function emptyDelta(key: RollupKey): RollupDelta {
  const maps = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, new Map()]));
  return { key, classes: new Map(), quarters: new Map(), maps: maps as RollupDelta['maps'] };
}

/** In the order of DIMENSIONS. */
function keysOf({ client, country, referrer, language, trigger, targetVersion, channel }: Click): string[] {
  const { device, browser, os } = client;
  return [country, device, browser, os, referrer, language, trigger, String(targetVersion), channel].map(escapeKey);
}

function increase<K>(map: Map<K, number>, key: K, by = 1): void {
  map.set(key, (map.get(key) ?? 0) + by);
}

/** A value as a part of a path: `.` and a leading `$` have a meaning there, NUL is refused (`t.co` → `t%2Eco`). */
export function escapeKey(value: string): string {
  if (value === '') return UNKNOWN;
  return value.replace(/[%.$\0]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

export function unescapeKey(key: string): string {
  if (key === UNKNOWN) return '';
  return key.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Moves to OTHER what would make a map of a document longer than MAX_KEYS. `held` are the keys that it has. */
export function capMap(map: ReadonlyMap<string, number>, held: readonly string[]): Map<string, number> {
  const keys = new Set(held);
  keys.delete(OTHER);
  const capped = new Map<string, number>();
  for (const [key, count] of map) {
    const fits = keys.has(key) || keys.size < MAX_KEYS;
    if (fits) keys.add(key);
    increase(capped, fits ? key : OTHER, count);
  }
  return capped;
}

/** The paths and numbers of an `$inc`. */
export function incrementsOf({ classes, quarters, maps }: RollupDelta): Record<string, number> {
  const increments: Record<string, number> = {};
  for (const [name, count] of classes) increments[`x.${name}`] = count;
  for (const [name, count] of quarters) increments[`q.${name}`] = count;
  for (const dimension of DIMENSIONS) {
    for (const [key, count] of maps[dimension]) increments[`${dimension}.${key}`] = count;
  }
  return increments;
}
