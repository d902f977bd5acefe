/** Shares of the requests of a redirect process that each level answered, since they were asked for last. */
export interface PathsTaken {
  l1: number;
  redis: number;
  mongodb: number;
}

/** From its metrics, whose ratios are of the time since the last scrape. */
export async function pathsTaken(metricsUrl: string): Promise<PathsTaken> {
  const text = await (await fetch(metricsUrl)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  const l1 = value('l1_cache_hit_ratio');
  const redis = (1 - l1) * value('redis_cache_hit_ratio');
  return { l1, redis, mongodb: 1 - l1 - redis };
}
