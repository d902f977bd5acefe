import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { Log } from './log.js';
import { ulid } from './ulid.js';

interface LeaseDocument {
  _id: string;
  owner: string;
  /** Grows with every change of owner: a write that names an old one is refused. */
  fence: number;
  /** By the database's clock. */
  until: Date;
}

export interface LeaseOptions {
  name: string;
  ttlMs: number;
  log: Log;
}

/**
 * Leadership of one process at a time. The clock is the database's; our own (monotonic) one only decides when to stop
 * believing. Correctness never rests on the lease alone: writes made under it check the fence (`confirm`).
 */
export class Lease {
  readonly #collection: Collection<LeaseDocument>;
  readonly #options: LeaseOptions;
  readonly #owner = ulid();
  #fence = 0;
  #heldUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(db: Db, options: LeaseOptions) {
    this.#collection = db.collection<LeaseDocument>('leases');
    this.#options = options;
  }

  /** True while nobody else can hold it. */
  get held(): boolean {
    return !this.#stopped && performance.now() < this.#heldUntil;
  }

  /** Tries now and then for ever: a third of the life between renewals. */
  async start(): Promise<void> {
    await this.#tick();
  }

  async #tick(): Promise<void> {
    this.#round = this.#acquire().catch((error: unknown) => {
      this.#options.log.debug({ err: error }, 'lease not renewed');
    });
    await this.#round;
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#tick(), this.#options.ttlMs / 3);
  }

  async #acquire(): Promise<void> {
    const asked = performance.now();
    const mine = { $eq: ['$owner', this.#owner] };
    const free = { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
    const take = { $or: [mine, free] };
    const document = await this.#collection.findOneAndUpdate(
      { _id: this.#options.name },
      [
        {
          $set: {
            fence: { $cond: [mine, '$fence', { $cond: [free, { $add: [{ $ifNull: ['$fence', 0] }, 1] }, '$fence'] }] },
            until: { $cond: [take, { $add: ['$$NOW', this.#options.ttlMs] }, '$until'] },
            owner: { $cond: [take, this.#owner, '$owner'] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    if (document?.owner !== this.#owner) {
      this.#heldUntil = 0;
      return;
    }
    if (this.#fence !== document.fence) this.#options.log.info({ lease: this.#options.name }, 'lease taken');
    this.#fence = document.fence;
    this.#heldUntil = asked + this.#options.ttlMs;
  }

  /**
   * Inside a transaction: fails it unless this holder is still the last one when it commits. The write must change
   * something each time: one that doesn't would conflict with no takeover.
   */
  async confirm(session: ClientSession): Promise<void> {
    const found = await this.#collection.updateOne(
      { _id: this.#options.name, owner: this.#owner, fence: this.#fence },
      { $inc: { confirmations: 1 } },
      { session },
    );
    if (found.matchedCount !== 1) throw new LeaseLost(this.#options.name);
  }

  /** Gives it up, so that the next holder need not wait for the end of its life; no longer than that life lasts. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.race([this.#release(), delay(this.#options.ttlMs, undefined, { ref: false })]);
  }

  async #release(): Promise<void> {
    // A renewal under way would take it again.
    await this.#round;
    await this.#collection
      .updateOne({ _id: this.#options.name, owner: this.#owner }, { $set: { until: new Date(0) } })
      .catch(() => undefined);
  }
}

/** Somebody else has it now. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease ${name} has passed to another process`);
  }
}
