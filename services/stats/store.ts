import { Binary, type ClientSession, type Collection, type Db } from 'mongodb';
import type { Lease } from '../../runtime/lease.js';
import type { Mongo } from '../../runtime/mongo.js';
import { duplicateKey } from '../../runtime/mongo-fault.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import type { Click } from './clicks.js';
import { ClickReader } from './store/click-reader.js';
import { EVENT_INDEXES, EVENTS, type EventDocument, eventDocument, monthOf } from './store/event-document.js';
import { deltasOf, type RollupKey } from './store/rollup.js';
import { addRollups } from './store/rollup-writes.js';
import { markLate, VisitorDays } from './store/visitor-days.js';

interface WatermarkDocument {
  _id: number;
  batches: number;
  /** All that was published before it was committed, but for what was delivered again. */
  publishedUntil?: Date;
}

export interface Batch {
  partition: number;
  clicks: readonly Click[];
  /** When the oldest of its messages was published. */
  publishedAt: Date;
  /** Confirmed in the same transaction. */
  lease: Pick<Lease, 'confirm'>;
}

export interface Appended {
  stored: Click[];
  duplicates: number;
}

/** A click counts once, in the transaction that stores it: whatever is known by its id already changes nothing. */
export class StatsStore {
  readonly #mongo: Mongo;
  readonly #now: () => number;
  readonly #db: Db;
  readonly #watermarks: Collection<WatermarkDocument>;
  readonly #rollups: Collection<{ _id: RollupKey }>;
  /** Months whose collection and indexes are there: neither can be made in a transaction under way. */
  readonly #months = new Map<string, Promise<void>>();

  constructor(mongo: Mongo, now: () => number = Date.now) {
    this.#mongo = mongo;
    this.#now = now;
    this.#db = mongo.db;
    this.#watermarks = mongo.db.collection('watermarks');
    this.#rollups = mongo.db.collection('clicks_hourly');
  }

  async prepare(): Promise<void> {
    // In advance: two that insert it in transactions at the same time would fail on the key instead of waiting.
    for (let _id = 0; _id < CLICK_PARTITIONS; _id++) {
      await this.#watermarks
        .updateOne({ _id }, { $setOnInsert: { batches: 0 } }, { upsert: true })
        .catch(unlessDuplicate);
    }
    await this.#db.createCollection('clicks_hourly').catch(unlessExists);
    await new VisitorDays(this.#db).prepare();
    await this.#month(monthOf(Date.now()));
  }

  async append({ partition, clicks, publishedAt, lease }: Batch): Promise<Appended> {
    const byId = new Map(clicks.map((click) => [hex(click.id), click]));
    const months = byMonth(byId.values());
    for (const month of months.keys()) await this.#month(month);
    const stored = await this.#mongo.transaction(async (session) => {
      // First: whoever comes second, a zombie too, waits here or fails, before it has looked what is known.
      await this.#watermarks.updateOne(
        { _id: partition },
        { $inc: { batches: 1 }, $set: { publishedUntil: publishedAt } },
        { upsert: true, session },
      );
      await lease.confirm(session);
      const fresh: Click[] = [];
      for (const [month, all] of months) fresh.push(...(await this.#insertNew(month, all, partition, session)));
      if (fresh.length > 0) await addRollups(this.#rollups, deltasOf(fresh, partition), session);
      await markLate(this.#db, fresh, this.#now(), session);
      return fresh;
    });
    return { stored, duplicates: clicks.length - stored.length };
  }

  async #insertNew(month: string, clicks: Click[], partition: number, session: ClientSession): Promise<Click[]> {
    const events = this.#db.collection<EventDocument>(month);
    // A duplicate key would end the transaction.
    const ids = clicks.map(({ id }) => new Binary(id));
    const known = await events.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray();
    const knownIds = new Set(known.map(({ _id }) => hex(_id.buffer)));
    const fresh = clicks.filter(({ id }) => !knownIds.has(hex(id)));
    if (fresh.length > 0) {
      await events.insertMany(
        fresh.map((click) => eventDocument(click, partition)),
        { session, ordered: false },
      );
    }
    return fresh;
  }

  #month(name: string): Promise<void> {
    let made = this.#months.get(name);
    if (!made) {
      made = this.#makeMonth(name);
      this.#months.set(name, made);
      made.catch(() => this.#months.delete(name));
    }
    return made;
  }

  async #makeMonth(name: string): Promise<void> {
    await this.#db.collection(name).createIndexes(EVENT_INDEXES);
  }

  /** Reads of one moment. */
  async read<T>(work: (reader: ClickReader) => Promise<T>): Promise<T> {
    const months = await this.#existingMonths();
    return this.#mongo.snapshot((db, session) => work(new ClickReader({ db, session, months })));
  }

  async #existingMonths(): Promise<string[]> {
    const found = await this.#db.listCollections({ name: EVENTS }, { nameOnly: true }).toArray();
    return found.map(({ name }) => name).sort();
  }

  /** Drops the raw clicks of months that were over before this moment. Resolves with their names. */
  async dropMonthsBefore(timeMs: number): Promise<string[]> {
    const over = (await this.#existingMonths()).filter((name) => name < monthOf(timeMs));
    for (const name of over) await this.#db.dropCollection(name);
    return over;
  }

  /** Up to when the stream of each partition has certainly been read; undefined for one that has had no click. */
  async publishedUntil(): Promise<Map<number, Date | undefined>> {
    const found = await this.#watermarks.find().toArray();
    return new Map(found.map((each) => [each._id, each.publishedUntil]));
  }
}

function byMonth(clicks: Iterable<Click>): Map<string, Click[]> {
  const months = new Map<string, Click[]>();
  for (const click of clicks) {
    const name = monthOf(click.timeMs);
    const month = months.get(name);
    if (month) month.push(click);
    else months.set(name, [click]);
  }
  return months;
}

function hex(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('latin1');
}

function unlessDuplicate(error: unknown): void {
  if (!duplicateKey(error)) throw error;
}

function unlessExists(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== 'NamespaceExists') throw error;
}
