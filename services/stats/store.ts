import type { ClientSession, Collection, Db, UpdateFilter } from 'mongodb';
import type { Lease } from '../../runtime/lease.js';
import type { Mongo } from '../../runtime/mongo.js';
import { duplicateKey } from '../../runtime/mongo-fault.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import type { Click, EdgeDrop } from './clicks.js';
import { keyOf, knownIds } from './store/click-ids.js';
import { ClickReader } from './store/click-reader.js';
import { EDGE_DROPS, raiseEdgeDrops } from './store/edge-drops.js';
import { EVENT_INDEXES, EVENTS, type EventDocument, eventDocument, monthOf } from './store/event-document.js';
import {
  CLICKS_REFUSED,
  insertRefused,
  prepareRefused,
  type Refusal,
  type RefusedClick,
} from './store/refused-clicks.js';
import { deltasOf, type RollupKey } from './store/rollup.js';
import { addRollups } from './store/rollup-writes.js';
import { markLate, VisitorDays } from './store/visitor-days.js';

interface WatermarkDocument {
  _id: number;
  batches: number;
  /** All that was published before it was committed, but for what was delivered again. */
  publishedUntil?: Date;
  /** First and last time of clicks that were refused as of the future: they may come again when they no longer are. */
  aheadFrom?: Date;
  aheadUntil?: Date;
  /** Last time of a click that was refused as too late: by another clock it may be in time. */
  lateUntil?: Date;
}

export interface Batch {
  partition: number;
  clicks: readonly Click[];
  /** Those that are too late or of the future. */
  refused?: readonly RefusedClick[];
  drops?: readonly EdgeDrop[];
  /** When the oldest of its messages was published. */
  publishedAt: Date;
  /** Confirmed in the same transaction. */
  lease: Pick<Lease, 'confirm'>;
}

export interface Appended {
  stored: Click[];
  /** Refused for the first time. */
  refused: RefusedClick[];
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
    for (const name of ['clicks_hourly', EDGE_DROPS]) await this.#db.createCollection(name).catch(unlessExists);
    await new VisitorDays(this.#db).prepare();
    await prepareRefused(this.#db);
    await this.#month(monthOf(Date.now()));
  }

  async append(batch: Batch): Promise<Appended> {
    const { partition, clicks, refused = [], drops = [], lease } = batch;
    const byId = new Map(clicks.map((click) => [keyOf(click.id), click]));
    const months = byMonth(byId.values());
    for (const month of months.keys()) await this.#month(month);
    const appended = await this.#mongo.transaction(async (session) => {
      // First: whoever comes second, a zombie too, waits here or fails, before it has looked what is known.
      const watermark = await this.#touch(batch, session);
      await lease.confirm(session);
      const refusedIds = await this.#refusedBefore(byId.values(), watermark, session);
      const stored: Click[] = [];
      for (const [month, all] of months) {
        const open = all.filter(({ id }) => !refusedIds.has(keyOf(id)));
        stored.push(...(await this.#insertNew(month, open, partition, session)));
      }
      if (stored.length > 0) await addRollups(this.#rollups, deltasOf(stored, partition), session);
      await markLate(this.#db, stored, this.#now(), session);
      if (drops.length > 0) await raiseEdgeDrops(this.#db, drops, session);
      return { stored, refused: refused.length > 0 ? await insertRefused(this.#db, refused, session) : [] };
    });
    const counted = appended.stored.length + appended.refused.length;
    return { ...appended, duplicates: clicks.length + refused.length - counted };
  }

  async #touch({ partition, refused = [], publishedAt }: Batch, session: ClientSession) {
    return this.#watermarks.findOneAndUpdate(
      { _id: partition },
      { $inc: { batches: 1 }, $set: { publishedUntil: publishedAt }, ...spanOf(refused) },
      { upsert: true, returnDocument: 'after', session },
    );
  }

  /** Ids of clicks that were refused when they came first: there they count. Nearly never a round trip. */
  async #refusedBefore(
    clicks: Iterable<Click>,
    watermark: WatermarkDocument | null,
    session: ClientSession,
  ): Promise<Set<string>> {
    const { aheadFrom, aheadUntil, lateUntil } = watermark ?? {};
    const suspects = [...clicks].filter(
      ({ timeMs }) =>
        (lateUntil && timeMs <= lateUntil.getTime()) ||
        (aheadFrom && aheadUntil && timeMs >= aheadFrom.getTime() && timeMs <= aheadUntil.getTime()),
    );
    return suspects.length > 0 ? knownIds(this.#db, CLICKS_REFUSED, suspects, session) : new Set();
  }

  async #insertNew(month: string, clicks: Click[], partition: number, session: ClientSession): Promise<Click[]> {
    const known = await knownIds(this.#db, month, clicks, session);
    const fresh = clicks.filter(({ id }) => !known.has(keyOf(id)));
    if (fresh.length > 0) {
      const documents = fresh.map((click) => eventDocument(click, partition));
      await this.#db.collection<EventDocument>(month).insertMany(documents, { session, ordered: false });
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

/** Widens the times of the watermark by those of refused clicks. */
function spanOf(refused: readonly RefusedClick[]): UpdateFilter<WatermarkDocument> {
  const times = (reason: Refusal) => refused.filter(({ why }) => why === reason).map(({ click }) => click.timeMs);
  const [late, ahead] = [times('LATE'), times('FUTURE')];
  const max: Partial<WatermarkDocument> = {};
  if (late.length > 0) max.lateUntil = new Date(Math.max(...late));
  if (ahead.length > 0) max.aheadUntil = new Date(Math.max(...ahead));
  return {
    ...(late.length + ahead.length > 0 ? { $max: max } : {}),
    ...(ahead.length > 0 ? { $min: { aheadFrom: new Date(Math.min(...ahead)) } } : {}),
  };
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

function unlessDuplicate(error: unknown): void {
  if (!duplicateKey(error)) throw error;
}

function unlessExists(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== 'NamespaceExists') throw error;
}
