import type { Lease } from '../../runtime/lease.js';
import type { Work } from '../../runtime/stream-worker.js';
import { type Click, decodeClicks, type EdgeDrop } from './clicks.js';
import type { StatsMetrics } from './stats-metrics.js';
import type { RefusedClick } from './store/refused-clicks.js';
import type { Appended, StatsStore } from './store.js';
import type { VisitorSketches } from './visitor-sketches.js';

const DAY_MS = 86_400_000;
/** Raw clicks are kept so long (decisions 8); an older one could not be told from a duplicate. */
export const RAW_RETENTION_MS = 90 * DAY_MS;
/** A clock may be wrong, but not so wrong that a click would be counted in an hour that nobody looks at. */
export const MAX_AHEAD_MS = 3_600_000;
/** A transaction must end within seconds, whatever the messages hold: of clicks, and of counts of dropped ones. */
const MAX_CLICKS = 4_000;

export interface IngestParts {
  store: Pick<StatsStore, 'append'>;
  sketches: Pick<VisitorSketches, 'add'>;
  metrics: Pick<StatsMetrics, 'ingestDelay' | 'events' | 'duplicates' | 'tooLate' | 'fromFuture'>;
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
    const drops: EdgeDrop[] = [];
    for (const message of messages) {
      try {
        const batch = decodeClicks(message.data);
        for (const click of batch.clicks) clicks.push(click);
        for (const drop of batch.drops) drops.push(drop);
        if (batch.fault) unreadable.set(message, batch.fault);
      } catch (error) {
        unreadable.set(message, error instanceof Error ? error.message : 'unreadable');
      }
    }
    const publishedAt = new Date(Math.min(...messages.map((message) => message.publishedAt)));
    const { timely, refused } = this.#judge(clicks);
    for (let i = 0; i < Math.max(timely.length, refused.length, drops.length); i += MAX_CLICKS) {
      const part = { clicks: slice(timely, i), refused: slice(refused, i), drops: slice(drops, i) };
      const appended = await this.#parts.store.append({ partition, ...part, publishedAt, lease });
      // What was known already too: the process that stored it may have died before this.
      await this.#parts.sketches.add(part.clicks);
      this.#observe(appended);
    }
    return unreadable;
  }

  #judge(clicks: readonly Click[]): { timely: Click[]; refused: RefusedClick[] } {
    const { now = Date.now } = this.#parts;
    const [oldest, newest] = [now() - RAW_RETENTION_MS, now() + MAX_AHEAD_MS];
    const timely: Click[] = [];
    const refused: RefusedClick[] = [];
    for (const click of clicks) {
      if (click.timeMs < oldest) refused.push({ click, why: 'LATE' });
      else if (click.timeMs > newest) refused.push({ click, why: 'FUTURE' });
      else timely.push(click);
    }
    return { timely, refused };
  }

  #observe({ stored, refused, duplicates }: Appended): void {
    const { metrics, now = Date.now } = this.#parts;
    metrics.duplicates.inc(duplicates);
    for (const { why } of refused) (why === 'LATE' ? metrics.tooLate : metrics.fromFuture).inc();
    const time = now();
    for (const click of stored) {
      metrics.events.inc({ class: click.trafficClass }, 1);
      metrics.ingestDelay.observe(Math.max(0, time - click.timeMs) / 1_000);
    }
  }
}

function slice<T>(all: readonly T[], from: number): T[] {
  return all.slice(from, from + MAX_CLICKS);
}
