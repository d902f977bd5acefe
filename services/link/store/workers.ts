import type { Collection, Db } from 'mongodb';
import { ulid } from '../../../runtime/ulid.js';

interface WorkerDocument {
  _id: number;
  owner: string;
  /** End of the lease by the database's clock. */
  until: Date;
  /** No id with a later millisecond has been issued under this worker number. */
  horizonMs: number;
}

const LEASE_MS = 30_000;

/** Which process holds which worker number (C-3), and up to which millisecond it may issue ids under it. */
export class WorkerRegistry {
  readonly #workers: Collection<WorkerDocument>;
  readonly #owner = ulid();

  constructor(db: Db) {
    this.#workers = db.collection('id_workers');
  }

  /** The horizon of the holder before, or undefined when the number is held. */
  async take(worker: number): Promise<number | undefined> {
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

  /** False when the number has passed to another. */
  async renew(worker: number, horizonMs: number): Promise<boolean> {
    const { matchedCount } = await this.#workers.updateOne({ _id: worker, owner: this.#owner }, [
      { $set: { until: { $add: ['$$NOW', LEASE_MS] }, horizonMs } },
    ]);
    return matchedCount === 1;
  }

  async release(worker: number, horizonMs: number): Promise<void> {
    await this.#workers.updateOne({ _id: worker, owner: this.#owner }, { $set: { until: new Date(0), horizonMs } });
  }
}
