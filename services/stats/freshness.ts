import type { Nats } from '../../runtime/nats.js';
import { readBacklog } from '../../runtime/stream-backlog.js';
import { CLICK_PARTITIONS, clickSubject } from '../../runtime/streams.js';
import { decodeClicks } from './clicks.js';
import { durableOf } from './consumer.js';
import type { StatsStore } from './store.js';

/**
 * Longest way of a click from its visit into the stream: a pod sends after 200 ms, the stream answers within its
 * time-out. What a pod holds back on its disk, because it could not reach the stream, nobody here can know of.
 */
const EDGE_MS = 1_000;
/** An earlier answer is true as well; a page of links asks once. */
const KEEP_MS = 200;

/** How far the numbers reach. */
export class Freshness {
  readonly #nats: Nats;
  readonly #store: Pick<StatsStore, 'publishedUntil'>;
  #kept: { at: number; asOf: Promise<Date | undefined> } | undefined;

  constructor(nats: Nats, store: Pick<StatsStore, 'publishedUntil'>) {
    this.#nats = nats;
    this.#store = store;
  }

  /**
   * Every click up to this moment is committed; to be asked for before the numbers are read. For each partition:
   * - nothing waits: the moment before we asked;
   * - something waits: all that was published before the oldest message that waits has been acknowledged, so the moment of
   *   its publication, or of its oldest click when that is earlier;
   * - NATS does not answer: when the last batch that was committed had been published.
   * Less EDGE_MS for what was still on its way; of all partitions the earliest. Undefined when a partition has never
   * been read.
   */
  asOf(): Promise<Date | undefined> {
    const now = Date.now();
    if (!this.#kept || now - this.#kept.at > KEEP_MS) this.#kept = { at: now, asOf: this.#asOf(now) };
    return this.#kept.asOf;
  }

  async #asOf(now: number): Promise<Date | undefined> {
    const reaches = await Promise.all(partitions().map((partition) => this.#streamReach(partition, now)));
    if (reaches.includes(undefined)) {
      const committed = await this.#store.publishedUntil();
      for (const partition of partitions()) {
        const until = committed.get(partition)?.getTime();
        reaches[partition] ??= until === undefined ? undefined : until - EDGE_MS;
      }
    }
    const known = reaches.filter((reach) => reach !== undefined);
    return known.length === CLICK_PARTITIONS ? new Date(Math.min(...known)) : undefined;
  }

  /** Undefined when the stream does not tell. */
  async #streamReach(partition: number, now: number): Promise<number | undefined> {
    try {
      const { waiting, oldest } = await this.#backlog(partition);
      if (waiting === 0) return now - EDGE_MS;
      return oldest && Math.min(oldest.publishedAt - EDGE_MS, oldestClick(oldest.data));
    } catch {
      return undefined;
    }
  }

  #backlog(partition: number) {
    return readBacklog(this.#nats, 'CLICKS', durableOf(partition), clickSubject(partition));
  }

  /** Messages that wait, by partition. @throws while NATS does not answer */
  async lag(): Promise<Map<number, number>> {
    const waiting = partitions().map(async (partition) => {
      return [partition, (await this.#backlog(partition)).waiting] as const;
    });
    return new Map(await Promise.all(waiting));
  }
}

function partitions(): number[] {
  return Array.from({ length: CLICK_PARTITIONS }, (_, partition) => partition);
}

/** Infinity for a message that holds none that counts. */
function oldestClick(data: Uint8Array): number {
  try {
    return Math.min(...decodeClicks(data).clicks.map(({ timeMs }) => timeMs));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
