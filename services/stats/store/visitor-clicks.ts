import type { ClientSession, Db, Document } from 'mongodb';
import type { TimeSpan } from '../../../model/time-span.js';
import { EVENTS, monthOf } from './event-document.js';
import { HOUR_MS } from './rollup.js';
import { rawFilter, rollupFilter, type Scope } from './scope.js';

export interface VisitorCount {
  /** HUMAN clicks, those without a visitor too. */
  clicks: number;
  /** Different visitors among them; the same hash under two salts is two. */
  visitors: number;
}

/** What reads of one moment share. */
export interface Snapshot {
  db: Db;
  session: ClientSession;
  /** Collections of raw clicks that exist, the oldest first. */
  months: readonly string[];
}

/** So many visitors come at once. */
const PIECE = 1_000;
/** A set of more could become larger than a document. */
const MAX_SET = 200_000;
/** The same as `countInto(null)`, in half the time: one row for each salt, and not for each visitor. */
const COUNT_IN_SETS: Document[] = [
  { $group: { _id: '$sa', clicks: { $sum: 1 }, visitors: { $addToSet: '$v' } } },
  {
    $group: {
      _id: null,
      clicks: { $sum: '$clicks' },
      // A visitor that is missing comes from an index as null.
      visitors: { $sum: { $subtract: [{ $size: '$visitors' }, { $cond: [{ $in: [null, '$visitors'] }, 1, 0] }] } },
    },
  },
];

/** HUMAN clicks and their visitors, as they are stored. */
export class VisitorClicks {
  readonly #db: Db;
  readonly #snapshot: Omit<Snapshot, 'db'> | undefined;

  constructor(db: Db, snapshot?: Omit<Snapshot, 'db'>) {
    this.#db = db;
    this.#snapshot = snapshot;
  }

  /** Existing collections of raw clicks, the oldest first. */
  async months(): Promise<readonly string[]> {
    if (this.#snapshot) return this.#snapshot.months;
    const existing = await this.#db.listCollections({ name: EVENTS }, { nameOnly: true }).toArray();
    return existing.map(({ name }) => name).sort();
  }

  /** From raw clicks, exactly; undefined when there are more HUMAN clicks than `max`. */
  async count(scope: Scope, span: TimeSpan, max = Number.MAX_SAFE_INTEGER - 1): Promise<VisitorCount | undefined> {
    const total = { clicks: 0, visitors: 0 };
    const [first, last] = [monthOf(span.from), monthOf(span.to - 1)];
    const months = (await this.months()).filter((name) => name >= first && name <= last);
    // Each by itself: salts are of one day, so no visitor is known in two months.
    for (const month of months) {
      const limit = { $limit: max - total.clicks + 1 };
      const stages = [
        { $match: matchPeople(scope, span) },
        limit,
        ...(max > MAX_SET ? countInto(null) : COUNT_IN_SETS),
      ];
      const options = { session: this.#snapshot?.session, allowDiskUse: true };
      const [found] = await this.#db.collection(month).aggregate<VisitorCount>(stages, options).toArray();
      total.clicks += found?.clicks ?? 0;
      total.visitors += found?.visitors ?? 0;
      if (total.clicks > max) return undefined;
    }
    return total;
  }

  /** HUMAN clicks of a link, or of the tenant, on one day (its start), as the roll-ups count them. */
  async people(te: string, linkId: string | undefined, day: number): Promise<number> {
    const scope = { tenantId: te, linkIds: linkId === undefined ? undefined : [linkId] };
    const hours = rollupFilter(scope, { from: day, to: day + 24 * HOUR_MS });
    const stages = [{ $match: hours }, { $group: { _id: null, clicks: { $sum: '$x.HUMAN' } } }];
    const rollups = this.#db.collection('clicks_hourly');
    const [found] = await rollups.aggregate<{ clicks: number }>(stages, { session: this.#snapshot?.session }).toArray();
    return found?.clicks ?? 0;
  }

  /** The visitors of clicks within one month, each as often as it clicked, in pieces. */
  async *visitorsOf(scope: Scope, span: TimeSpan): AsyncGenerator<bigint[]> {
    // By itself a number of 64 bits comes in two forms.
    const options = { projection: { _id: 0, v: 1 }, useBigInt64: true };
    const clicks = this.#db.collection(monthOf(span.from)).find(matchPeople(scope, span), options);
    let piece: bigint[] = [];
    for await (const { v } of clicks) {
      // One that is missing comes from an index as null.
      if (typeof v !== 'bigint') continue;
      piece.push(BigInt.asUintN(64, v));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = [];
    }
    if (piece.length > 0) yield piece;
  }
}

export function matchPeople(scope: Scope, span: TimeSpan): Document {
  return { ...rawFilter(scope, span), cls: 'HUMAN' };
}

/** Stages from clicks to `VisitorCount`s by `key`: the path of a field of the click, or null for one of all. */
export function countInto(key: string | null): Document[] {
  return [
    // One row for those that asked not to be counted: no visitor.
    { $group: { _id: { key, sa: '$sa', v: '$v' }, clicks: { $sum: 1 } } },
    {
      $group: {
        _id: '$_id.key',
        clicks: { $sum: '$clicks' },
        visitors: { $sum: { $cond: [{ $gt: ['$_id.v', null] }, 1, 0] } },
      },
    },
  ];
}
