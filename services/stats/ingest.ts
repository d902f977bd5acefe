import type { Lease } from '../../runtime/lease.js';
import type { Work } from '../../runtime/stream-worker.js';
import { type Click, decodeClicks } from './clicks.js';
import type { StatsMetrics } from './stats-metrics.js';
import type { StatsStore } from './store.js';
import type { VisitorSketches } from './visitor-sketches.js';

const DAY_MS = 86_400_000;
/** Raw clicks are kept so long (decisions 8); an older one could not be told from a duplicate. */
export const RAW_RETENTION_MS = 90 * DAY_MS;
/** A clock may be wrong, but not so wrong that a click would be counted in an hour that nobody looks at. */
export const MAX_AHEAD_MS = 3_600_000;
/** A transaction must end within seconds, whatever the messages hold. */
const MAX_CLICKS = 4_000;

export interface IngestParts {
  store: Pick<StatsStore, 'append'>;
  sketches: Pick<VisitorSketches, 'add'>;
  metrics: Pick<StatsMetrics, 'ingestDelay' | 'events' | 'duplicates' | 'tooLate' | 'fromFuture' | 'dropped'>;
  now?: () => number;
}

/** From messages to numbers. Doing it twice is doing it once. */
export class Ingest {
  readonly #parts: IngestParts;

  constructor(parts: IngestParts) {
    this.#parts = parts;
  }

  /** Stores the clicks of messages of one partition. Resolves with the messages that hold anything else, and why. */
  async store(
    partition: number,
    lease: Pick<Lease, 'confirm'>,
    messages: readonly Work[],
  ): Promise<ReadonlyMap<Work, string>> {
    const unreadable = new Map<Work, string>();
    const clicks: Click[] = [];
    const dropped = { bots: 0, others: 0 };
    for (const message of messages) {
      try {
        const batch = decodeClicks(message.data);
        for (const click of batch.clicks) clicks.push(click);
        if (batch.fault) unreadable.set(message, batch.fault);
        dropped.bots += batch.dropped.bots;
        dropped.others += batch.dropped.others;
      } catch (error) {
        unreadable.set(message, error instanceof Error ? error.message : 'unreadable');
      }
    }
    const publishedAt = new Date(Math.min(...messages.map((message) => message.publishedAt)));
    const timely = this.#timely(clicks);
    for (let i = 0; i < timely.length; i += MAX_CLICKS) {
      const part = timely.slice(i, i + MAX_CLICKS);
      const { stored, duplicates } = await this.#parts.store.append({ partition, clicks: part, publishedAt, lease });
      // What was known already too: the process that stored it may have died before this.
      await this.#parts.sketches.add(part);
      this.#observe(stored, duplicates);
    }
    this.#parts.metrics.dropped.inc({ class: 'bot' }, dropped.bots);
    this.#parts.metrics.dropped.inc({ class: 'other' }, dropped.others);
    return unreadable;
  }

  #timely(clicks: readonly Click[]): Click[] {
    const { metrics, now = Date.now } = this.#parts;
    const [oldest, newest] = [now() - RAW_RETENTION_MS, now() + MAX_AHEAD_MS];
    const timely = clicks.filter(({ timeMs }) => timeMs >= oldest && timeMs <= newest);
    const late = clicks.filter(({ timeMs }) => timeMs < oldest).length;
    metrics.tooLate.inc(late);
    metrics.fromFuture.inc(clicks.length - timely.length - late);
    return timely;
  }

  #observe(stored: readonly Click[], duplicates: number): void {
    const { metrics, now = Date.now } = this.#parts;
    metrics.duplicates.inc(duplicates);
    const time = now();
    for (const click of stored) {
      metrics.events.inc({ class: click.trafficClass }, 1);
      metrics.ingestDelay.observe(Math.max(0, time - click.timeMs) / 1_000);
    }
  }
}
