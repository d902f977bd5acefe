import type { Collection, Db } from 'mongodb';

interface EpochDocument {
  _id: 'epoch';
  n: number;
}

/** The number under which visitors are estimated. A new one makes all older estimates void. */
export class VisitorEpochs {
  readonly #epochs: Collection<EpochDocument>;

  constructor(db: Db) {
    this.#epochs = db.collection('visitor_epoch');
  }

  /** 0 when there is none. */
  async current(): Promise<number> {
    const found = await this.#epochs.findOne({ _id: 'epoch' });
    return found?.n ?? 0;
  }

  /** A number that nobody else gets. Durable when it resolves. */
  async next(): Promise<number> {
    const found = await this.#epochs.findOneAndUpdate(
      { _id: 'epoch' },
      { $inc: { n: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    return found?.n ?? 0;
  }
}
