import { bucketOf, composeLinkId, SEQUENCES, WORKERS } from '../../model/link-id.js';
import { unavailable } from '../../runtime/app-error.js';
import type { Log } from '../../runtime/log.js';
import type { WorkerRegistry } from './store/workers.js';

const RENEW_MS = 5_000;
/** How far ahead of the clock ids are reserved at each renewal; ids stop when renewals stop. */
const RESERVE_MS = 15_000;

/**
 * Issues link ids without a round trip. A worker number is leased, and with it a span of milliseconds: a holder never
 * issues beyond its horizon, the next holder begins after it. So ids stay unique whatever the clocks do.
 */
export class IdIssuer {
  readonly #registry: WorkerRegistry;
  readonly #log: Log;
  readonly #clock: () => number;
  #worker: number | undefined;
  #horizonMs = 0;
  #lastMs = 0;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: WorkerRegistry, log: Log, clock: () => number = Date.now) {
    this.#registry = registry;
    this.#log = log;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    await this.#acquire();
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS);
  }

  /** @throws AppError UNAVAILABLE while no worker number is held */
  issue(groupId: string, comparedCode: string): bigint {
    if (this.#worker === undefined) throw unavailable('The id registry');
    const ms = Math.max(this.#clock(), this.#lastMs);
    if (ms > this.#lastMs) this.#sequence = 0;
    else this.#sequence++;
    // 32 ids in one millisecond: the next is taken in advance.
    const carry = this.#sequence === SEQUENCES;
    this.#lastMs = carry ? ms + 1 : ms;
    if (carry) this.#sequence = 0;
    if (this.#lastMs > this.#horizonMs) throw unavailable('The id registry');
    const bucket = bucketOf(groupId, comparedCode);
    return composeLinkId({ ms: this.#lastMs, bucket, worker: this.#worker, sequence: this.#sequence });
  }

  /** Tries the worker numbers from a random one on until one is free. */
  async #acquire(): Promise<void> {
    const first = Math.floor(Math.random() * WORKERS);
    for (let i = 0; i < WORKERS; i++) {
      const worker = (first + i) % WORKERS;
      const before = await this.#registry.take(worker);
      if (before === undefined) continue;
      this.#lastMs = Math.max(before + 1, this.#clock());
      this.#worker = worker;
      await this.#extend(worker);
      return;
    }
    throw unavailable('A free worker number');
  }

  async #renew(): Promise<void> {
    try {
      if (this.#worker === undefined) await this.#acquire();
      else await this.#extend(this.#worker);
    } catch (error) {
      this.#log.warn({ err: error }, 'worker number not renewed');
    }
  }

  async #extend(worker: number): Promise<void> {
    const horizonMs = Math.max(this.#clock(), this.#lastMs) + RESERVE_MS;
    if (await this.#registry.renew(worker, horizonMs)) this.#horizonMs = horizonMs;
    else this.#worker = undefined;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker !== undefined) await this.#registry.release(worker, this.#lastMs).catch(() => undefined);
  }
}
