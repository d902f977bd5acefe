import type { Log } from '../../runtime/log.js';
import type { Nats } from '../../runtime/nats.js';
import { clickSubject } from '../../runtime/streams.js';
import type { SealedBatch } from './click-batch.js';
import type { ClickMetrics } from './click-metrics.js';
import type { ClickSpool } from './click-spool.js';

export interface ClickSenderOptions {
  nats: Pick<Nats, 'up' | 'publish'>;
  spool: ClickSpool;
  metrics: ClickMetrics;
  log: Log;
}

/** Beside those of a replay: the NATS client keeps each unanswered publish in memory (security.md fact 1). */
export const MAX_DIRECT = 4;
const REPLAY_EVERY_MS = 200;

/** Brings batches to NATS, or to the spool while NATS takes none, and from there to NATS when it is back. */
export class ClickSender {
  readonly #options: ClickSenderOptions;
  readonly #running = new Set<Promise<boolean>>();
  /** Neither acknowledged nor spooled: few, since nothing new is taken while there is one. */
  #left: SealedBatch[] = [];
  #directs = 0;
  /** False from a failure until a publish succeeds again: a hung server costs a few batches their 2 s, not all. */
  #healthy = true;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #replaying: Promise<void> | undefined;

  constructor(options: ClickSenderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#replaying ??= this.#replay().finally(() => {
        this.#replaying = undefined;
      });
    }, REPLAY_EVERY_MS);
  }

  /** Whether a batch that is given now has somewhere to go. */
  get ready(): boolean {
    return this.#left.length === 0 && (this.#direct || this.#options.spool.hasRoom);
  }

  get #direct(): boolean {
    return this.#healthy && this.#options.nats.up && this.#directs < MAX_DIRECT;
  }

  /** Resolves with whether the batch is in NATS or in the spool. One that is not is kept, and tried again. */
  send(batch: SealedBatch): Promise<boolean> {
    const sending = this.#deliver(batch).finally(() => this.#running.delete(sending));
    this.#running.add(sending);
    return sending;
  }

  async #deliver(batch: SealedBatch): Promise<boolean> {
    if (this.#direct) {
      this.#directs++;
      const taken = await this.#publish(batch);
      this.#directs--;
      if (taken) return true;
    }
    if (await this.#options.spool.append(batch)) return true;
    this.#left.push(batch);
    return false;
  }

  async #publish({ id, partition, count, body }: SealedBatch): Promise<boolean> {
    const { nats, metrics, log } = this.#options;
    try {
      await nats.publish(clickSubject(partition), body, id);
      metrics.published(count);
      this.#healthy = true;
      return true;
    } catch (error) {
      if (this.#healthy) log.warn({ err: error }, 'clicks go to the spool');
      this.#healthy = false;
      return false;
    }
  }

  async #replay(): Promise<void> {
    const { nats, spool, log } = this.#options;
    try {
      for (const batch of this.#left.splice(0)) await this.#deliver(batch);
      if (!nats.up) return;
      for (let batch = this.#left.shift(); batch; batch = this.#left.shift()) {
        if (await this.#publish(batch)) continue;
        this.#left.unshift(batch);
        return;
      }
      // A long spool must not hold up the end of the process; the next one goes on with it.
      if (await spool.replay(async (batch) => !this.#stopping && this.#publish(batch))) this.#healthy = true;
    } catch (error) {
      log.warn({ err: error }, 'the spool of clicks could not be replayed');
    }
  }

  /** Resolves when what has been given until now has a place. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** All that was given is in NATS or in the spool afterwards. @returns what found no place; it is not tried again */
  async drain(): Promise<SealedBatch[]> {
    this.#stopping = true;
    clearInterval(this.#timer);
    await this.#replaying;
    await this.settled();
    for (const batch of this.#left.splice(0)) await this.#deliver(batch);
    return this.#left.splice(0);
  }

  /** As `drain`, and nothing more is taken. */
  async stop(): Promise<SealedBatch[]> {
    const lost = await this.drain();
    await this.#options.spool.stop();
    return lost;
  }
}
