import type { Log } from '../../runtime/log.js';
import { BEAT_LOST_MS } from '../../runtime/streams.js';

export interface WatchOptions {
  /** What is watched, for the log. */
  name: string;
  /** Reads from MongoDB what changed in the last `ms` milliseconds by the database's clock, and applies it here. */
  poll(ms: number): Promise<void>;
  /** All changes until `at` (monotonic) have been applied. */
  onConfirm?(at: number): void;
  log: Log;
}

const TICK_MS = 100;
const POLL_EVERY_MS = 1_000;
/** Twice transactionLifetimeLimitSeconds: a commit becomes visible so much later than the time it carries (decisions 11). */
const OVERLAP_MS = 10_000;

/**
 * Learns of one kind of change: by the stream while its beat is heard, else by polling MongoDB every second (decisions
 * 10), until a beat is heard and one more poll has begun after it. Times are monotonic milliseconds.
 */
export class Watch {
  readonly #options: WatchOptions;
  /** Every change until then has been applied. */
  #knownUntil = performance.now();
  #lastBeat = Number.NEGATIVE_INFINITY;
  #caughtUp = false;
  /** Grows when a poll under way may have missed something. */
  #doubts = 0;
  #nextPoll = 0;
  #polling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Resolves after the first poll, whether it succeeded or not. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
    await this.#polling;
  }

  /** True while the stream alone keeps this process current. */
  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  heard(): void {
    this.#lastBeat = performance.now();
    if (this.#caughtUp) this.#knownUntil = this.#lastBeat;
    this.#options.onConfirm?.(this.#lastBeat);
  }

  /** Something was missed, or must be read: polls as soon as it can, beat or not. */
  doubt(): void {
    this.#doubts++;
    this.#caughtUp = false;
    this.#nextPoll = 0;
  }

  #tick(): void {
    const now = performance.now();
    if (this.#caughtUp && !this.#beatIsLive(now)) {
      this.#caughtUp = false;
      this.#options.log.warn({ watch: this.#options.name }, 'no beat: polling the database');
    }
    if (this.#caughtUp || this.#polling || now < this.#nextPoll) return;
    this.#polling = this.#poll(now).finally(() => {
      this.#polling = undefined;
    });
  }

  async #poll(began: number): Promise<void> {
    const { name, poll, onConfirm, log } = this.#options;
    const doubts = this.#doubts;
    this.#nextPoll = began + POLL_EVERY_MS;
    try {
      await poll(began - this.#knownUntil + OVERLAP_MS);
    } catch (error) {
      log.debug({ err: error, watch: name }, 'poll failed');
      return;
    }
    this.#knownUntil = began;
    onConfirm?.(began);
    if (doubts === this.#doubts && this.#beatIsLive(began)) this.#caughtUp = true;
  }

  #beatIsLive(now: number): boolean {
    return now - this.#lastBeat <= BEAT_LOST_MS;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }
}
