import { TRAFFIC_CLASSES, type TrafficClass } from '../enrich/traffic-class.js';
import type { Metrics, Visitors } from './answer.js';

/** Visits by what made them; a class without any is absent. */
export type ClassCounts = Partial<Record<TrafficClass, number>>;

export function addCounts(to: ClassCounts, more: ClassCounts): void {
  for (const name of TRAFFIC_CLASSES) {
    const count = more[name];
    if (count) to[name] = (to[name] ?? 0) + count;
  }
}

/** Those of the classes that count as clicks. */
export function clicksOf(counts: ClassCounts, traffic: readonly TrafficClass[]): number {
  return traffic.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

export function metricsOf(
  counts: ClassCounts,
  traffic: readonly TrafficClass[],
  wantsExcluded: boolean,
  visitors?: Visitors,
): Metrics {
  const others = wantsExcluded ? TRAFFIC_CLASSES.filter((name) => !traffic.includes(name)) : [];
  return {
    clicks: clicksOf(counts, traffic),
    visitors,
    excluded: others.map((trafficClass) => ({ trafficClass, count: counts[trafficClass] ?? 0 })),
  };
}
