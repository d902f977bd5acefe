import type { AnyBulkWriteOperation, ClientSession, Collection, Db, Document } from 'mongodb';
import type { Click } from '../clicks.js';
import { monthOf } from './event-document.js';
import { countInto, matchPeople, VisitorClicks, type VisitorCount } from './visitor-clicks.js';

export const DAY_MS = 86_400_000;
/** In the place of a link: the whole tenant. No link id is so. */
export const WHOLE_TENANT = '-';
const COLLECTION = 'visitors_daily';

/** In the order of the fields: keys are compared as they are. */
interface DayKey {
  te: string;
  l: string;
  /** Start of the day, UTC. */
  d: Date;
}

/**
 * The visitors of one link, or of a tenant, on one day that has ended. Counted once and for all, unless a click comes late:
 * - A click of a day that has ended increases `late` and sets `stale`, in the transaction that stores it.
 * - Who counts reads `late` first, then the clicks, and writes the count only while `late` is still the same.
 * If the transaction committed before `late` was read, its click was there to be counted; if after, then either the write
 * finds another `late` and is not made, or it was made before the commit, and the commit leaves the document stale. A
 * document that is not stale is therefore right. The first count of a day reads no `late`: it only inserts, and where a
 * document is already, a late click has made it, stale, or an earlier attempt, right or stale.
 *
 * A day is first counted an hour after its end (`foldableDays`): a transaction that still took the day for the running one
 * has ended then, and clocks of two processes don't differ as much.
 */
interface DayDocument {
  _id: DayKey;
  visitors?: number;
  /** HUMAN clicks, those without a visitor too. */
  clicks?: number;
  late?: number;
  stale?: true;
}

const SETTLED_MS = 3_600_000;

export function dayStart(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

/** Start of the last day that may be counted. */
function lastFoldable(now: number): number {
  return dayStart(now - SETTLED_MS) - DAY_MS;
}

/** Marks what clicks that have just been stored make stale. In the transaction that stores them, as its last writes. */
export async function markLate(db: Db, stored: readonly Click[], now: number, session: ClientSession): Promise<void> {
  const keys = new Map<string, DayKey>();
  for (const { trafficClass, timeMs, tenantId: te, linkId } of stored) {
    const day = dayStart(timeMs);
    if (trafficClass !== 'HUMAN' || day >= dayStart(now)) continue;
    for (const l of [linkId, WHOLE_TENANT]) keys.set(`${te} ${l} ${day}`, { te, l, d: new Date(day) });
  }
  if (keys.size === 0) return;
  const operations = [...keys.values()].map(
    (_id): AnyBulkWriteOperation<DayDocument> => ({
      updateOne: { filter: { _id }, update: { $inc: { late: 1 }, $set: { stale: true } }, upsert: true },
    }),
  );
  await db.collection<DayDocument>(COLLECTION).bulkWrite(operations, { session, ordered: false });
}

/** Numbers of days that have ended. */
export class VisitorDays {
  readonly #db: Db;
  readonly #session: ClientSession | undefined;
  readonly #clicks: VisitorClicks;
  readonly #days: Collection<DayDocument>;
  /** Days whose every link has been counted; one without a document had no click. */
  readonly #folded: Collection<{ _id: Date }>;

  /** @param session for `read` alone */
  constructor(db: Db, session?: ClientSession) {
    this.#db = db;
    this.#session = session;
    this.#clicks = new VisitorClicks(db);
    this.#days = db.collection(COLLECTION);
    this.#folded = db.collection('visitors_folded');
  }

  async prepare(): Promise<void> {
    await this.#days.createIndex({ stale: 1 }, { partialFilterExpression: { stale: true } });
  }

  /** Starts of the days that have raw clicks, may be counted and are not yet; the oldest first. */
  async foldableDays(now: number): Promise<number[]> {
    const months = await this.#clicks.months();
    const folded = new Set((await this.#folded.find().toArray()).map(({ _id }) => _id.getTime()));
    const days = months.flatMap(daysOf);
    return days.filter((day) => day <= lastFoldable(now) && !folded.has(day));
  }

  /** Counts a whole day. Doing it twice, at the same time too, is doing it once. */
  async fold(day: number): Promise<void> {
    const span = { from: day, to: day + DAY_MS };
    const events = this.#db.collection(monthOf(day));
    // Reads one key of the index for each tenant.
    for (const tenantId of await events.distinct('te')) {
      const match = { $match: matchPeople({ tenantId, linkIds: undefined }, span) };
      for (const key of ['$l', null] as const) {
        const l = key === null ? WHOLE_TENANT : '$_id';
        const _id = { te: { $literal: tenantId }, l, d: { $literal: new Date(day) } };
        const pipeline = [match, ...countInto(key), { $project: { _id, clicks: 1, visitors: 1 } }, INSERT];
        await events.aggregate(pipeline, { allowDiskUse: true }).toArray();
      }
    }
    await this.#folded.updateOne({ _id: new Date(day) }, { $setOnInsert: {} }, { upsert: true });
  }

  /** Counts again what late clicks have changed. Resolves with how many numbers; what changes meanwhile stays stale. */
  async foldStale(now: number): Promise<number> {
    let done = 0;
    const last = new Date(lastFoldable(now));
    for await (const { _id, late } of this.#days.find({ stale: true, '_id.d': { $lte: last } })) {
      const count = await this.#count(_id);
      // `stale` as well: who was faster may have counted clicks that are dropped by now.
      const filter = { _id, stale: true as const, late };
      const { matchedCount } = await this.#days.updateOne(filter, { $set: count, $unset: { stale: '' } });
      done += matchedCount;
    }
    return done;
  }

  async #count({ te, l, d }: DayKey): Promise<VisitorCount> {
    const scope = { tenantId: te, linkIds: l === WHOLE_TENANT ? undefined : [l] };
    const count = await this.#clicks.count(scope, { from: d.getTime(), to: d.getTime() + DAY_MS });
    return count ?? { clicks: 0, visitors: 0 };
  }

  /** By its start each day of [from, to) whose number is known and right. `l` is a link or WHOLE_TENANT. */
  async read(te: string, l: string, from: number, to: number) {
    const session = this.#session;
    const [first, end] = [new Date(from), new Date(to)];
    const folded = await this.#folded.find({ _id: { $gte: first, $lt: end } }, { session }).toArray();
    const range = { _id: { $gte: { te, l, d: first }, $lt: { te, l, d: end } } };
    const documents = await this.#days.find(range, { session }).toArray();
    const known = new Map(documents.map((document) => [document._id.d.getTime(), document]));
    const days = new Map<number, VisitorCount>();
    for (const { _id } of folded) {
      const { visitors = 0, clicks = 0, stale } = known.get(_id.getTime()) ?? {};
      if (!stale) days.set(_id.getTime(), { visitors, clicks });
    }
    return days;
  }
}

const INSERT: Document = {
  $merge: { into: COLLECTION, on: '_id', whenMatched: 'keepExisting', whenNotMatched: 'insert' },
};

function daysOf(month: string): number[] {
  const [year, index] = [Number(month.slice(-6, -2)), Number(month.slice(-2)) - 1];
  const [first, end] = [Date.UTC(year, index), Date.UTC(year, index + 1)];
  return Array.from({ length: (end - first) / DAY_MS }, (_, i) => first + i * DAY_MS);
}
