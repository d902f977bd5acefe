import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Decision, Held } from './decision.js';
import { LatencyHistogram } from './latency-histogram.js';

/** A scrape waits no longer for a dependency. */
const PROBE_MS = 300;
const MAX_STATUS = 600;

/**
 * The metrics of source 000 §19.1 that exist here. What happens at every request is counted in plain numbers, which
 * cost nothing, and becomes Prometheus' when it asks.
 */
export class RedirectMetrics {
  readonly #registry: Registry;
  /** Indexed by status. */
  readonly #answers: number[] = new Array(MAX_STATUS).fill(0);
  readonly #decisions = { redirect: 0, warn: 0, 'not-found': 0, gone: 0, blocked: 0, unavailable: 0 };
  readonly #l1 = { hits: 0, lookups: 0 };
  readonly #redis = { hits: 0, lookups: 0 };
  #noLinkHits = 0;
  #redisTimeouts = 0;
  invalidHosts = 0;
  invalidCodes = 0;
  readonly #latency: LatencyHistogram;
  readonly #loads: Histogram<'source'>;
  readonly #invalidationDelay: Histogram;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    const answers = this.#answers;
    new Counter({
      name: 'redirect_requests_total',
      help: 'Answers, by status.',
      labelNames: ['status'],
      registers,
      collect() {
        this.reset();
        for (const [status, count] of answers.entries()) if (count > 0) this.inc({ status }, count);
      },
    });
    counter(registry, 'redirect_success_total', 'Redirects to a target.', () => this.#decisions.redirect);
    counter(registry, 'link_not_found_total', 'Codes without a link to serve.', () => this.#decisions['not-found']);
    counter(registry, 'link_expired_total', 'Visits of links that have ended.', () => this.#decisions.gone);
    counter(registry, 'link_blocked_total', 'Visits of blocked links.', () => this.#decisions.blocked);
    counter(registry, 'invalid_host_total', 'Requests without one host of ours.', () => this.invalidHosts);
    counter(registry, 'invalid_code_total', 'Paths that name no code.', () => this.invalidCodes);
    counter(registry, 'negative_cache_hit_total', 'Codes known to have no link.', () => this.#noLinkHits);
    counter(registry, 'redis_timeout_total', 'Reads that Redis did not answer in time.', () => this.#redisTimeouts);
    ratio(registry, 'l1_cache_hit_ratio', 'Share found in memory since the last scrape.', this.#l1);
    ratio(registry, 'redis_cache_hit_ratio', 'Share of the rest found in Redis since the last scrape.', this.#redis);
    this.#latency = new LatencyHistogram({
      registry,
      name: 'redirect_latency_seconds',
      help: 'Time from the head of a request to its answer.',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.03, 0.1, 0.3, 1],
    });
    this.#loads = new Histogram({
      name: 'cache_load_latency',
      help: 'Seconds of a read that L1 could not answer.',
      labelNames: ['source'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2],
      registers,
    });
    this.#invalidationDelay = new Histogram({
      name: 'cache_invalidation_delay',
      help: 'Seconds from a change to the eviction of what it made old.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers,
    });
  }

  /** Shown beside the readiness, which they don't decide: the pod serves on without any of them. */
  watchDependencies(dependencies: Record<string, () => boolean | Promise<boolean>>): void {
    new Gauge({
      name: 'redirect_dependency_up',
      help: '1 while the dependency answers.',
      labelNames: ['dependency'],
      registers: [this.#registry],
      async collect() {
        for (const [dependency, up] of Object.entries(dependencies)) {
          const answers = await Promise.race([up(), delay(PROBE_MS, false)]);
          this.set({ dependency }, answers ? 1 : 0);
        }
      },
    });
  }

  answered(status: number, ms: number): void {
    this.#answers[status] = (this.#answers[status] ?? 0) + 1;
    this.#latency.observe(ms / 1_000);
  }

  decided(kind: Decision['kind']): void {
    this.#decisions[kind]++;
  }

  l1Looked(held: Held | undefined): void {
    this.#l1.lookups++;
    if (held) this.#l1.hits++;
    if (held?.rev === 0) this.#noLinkHits++;
  }

  redisLooked(held: Held | undefined, ms: number): void {
    this.#redis.lookups++;
    if (held) this.#redis.hits++;
    if (held?.rev === 0) this.#noLinkHits++;
    this.#loads.observe({ source: 'redis' }, ms / 1_000);
  }

  redisFailed(error: unknown): undefined {
    // ioredis has no class for it.
    if (error instanceof Error && error.message === 'Command timed out') this.#redisTimeouts++;
  }

  mongoLoaded(ms: number): void {
    this.#loads.observe({ source: 'mongodb' }, ms / 1_000);
  }

  /** Two machines' clocks may differ, hence not below 0. */
  invalidated(ms: number): void {
    this.#invalidationDelay.observe(Math.max(0, ms) / 1_000);
  }
}

function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** A ratio over the whole life would hide what happens now; without look-ups in between it keeps its value. */
function ratio(registry: Registry, name: string, help: string, now: { hits: number; lookups: number }): void {
  let last = { hits: 0, lookups: 0 };
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const lookups = now.lookups - last.lookups;
      if (lookups === 0) return;
      this.set((now.hits - last.hits) / lookups);
      last = { ...now };
    },
  });
}
