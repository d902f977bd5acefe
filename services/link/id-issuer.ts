import type { Collection, Db } from 'mongodb';
import { ulid } from 'ulid';
import { bucketOf, composeLinkId, SEQUENCES, WORKERS } from '../../model/link-id.js';
import { unavailable } from '../../runtime/app-error.js';
import type { Log } from '../../runtime/log.js';

interface WorkerDocument {
  _id: number;
  owner: string;
  /** End of the lease by the database's clock. */
  until: Date;
  /** No id with a later millisecond has been issued under this worker number. */
  horizonMs: number;
}

const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
/** How far ahead of the clock ids are reserved at each renewal; ids stop when renewals stop. */
const RESERVE_MS = 15_000;

/**
 * Issues link ids without a round trip. A worker number is leased, and with it a span of milliseconds: a holder never
 * issues beyond its horizon, the next holder begins after it. So ids stay unique whatever the clocks do.
 */
export class IdIssuer {
  readonly #workers: Collection<WorkerDocument>;
  readonly #log: Log;
  readonly #clock: () => number;
  readonly #owner = ulid();
  #worker: number | undefined;
  #horizonMs = 0;
  #lastMs = 0;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: Log, clock: () => number = Date.now) {
    this.#workers = db.collection('id_workers');
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
      const before = await this.#take(worker);
      if (before === undefined) continue;
      this.#lastMs = Math.max(before + 1, this.#clock());
      this.#worker = worker;
      await this.#renew();
      return;
    }
    throw unavailable('A free worker number');
  }

  /** The horizon of the holder before, or undefined when the number is held. */
  async #take(worker: number): Promise<number | undefined> {
    const free = { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
    const document = await this.#workers.findOneAndUpdate(
      { _id: worker },
      [
        {
          $set: {
            owner: { $cond: [free, this.#owner, '$owner'] },
            until: { $cond: [free, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
            horizonMs: { $ifNull: ['$horizonMs', 0] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    return document?.owner === this.#owner ? document.horizonMs : undefined;
  }

  async #renew(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return void (await this.#acquire().catch((error: unknown) => this.#warn(error)));
    const horizonMs = Math.max(this.#clock(), this.#lastMs) + RESERVE_MS;
    try {
      const { matchedCount } = await this.#workers.updateOne({ _id: worker, owner: this.#owner }, [
        { $set: { until: { $add: ['$$NOW', LEASE_MS] }, horizonMs } },
      ]);
      if (matchedCount === 1) this.#horizonMs = horizonMs;
      else this.#worker = undefined;
    } catch (error) {
      this.#warn(error);
    }
  }

  #warn(error: unknown): void {
    this.#log.warn({ err: error }, 'worker number not renewed');
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    const given = { until: new Date(0), horizonMs: this.#lastMs };
    await this.#workers.updateOne({ _id: worker, owner: this.#owner }, { $set: given }).catch(() => undefined);
  }
}
