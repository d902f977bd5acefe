import type { ClientSession, Db, Document } from 'mongodb';
import type { TimeSpan } from '../../../model/time-span.js';
import { DIMENSIONS, type Dimension, shownValue } from '../dimension.js';
import { TRAFFIC_CLASSES, type TrafficClass } from '../enrich/traffic-class.js';
import type { Filter } from '../filter.js';
import { monthOf } from './event-document.js';
import { filterConditions } from './filter-query.js';
import { droppedAtEdge, refusedClicks } from './losses.js';
import { QUARTER_MS, type Dimension as RollupMap } from './rollup.js';
import { type Hour, readHour } from './rollup-bytes.js';
import type { RollupDocument } from './rollup-writes.js';
import { linkRollupFilter, rawFilter, rollupFilter, type Scope } from './scope.js';
import { countInto, type Snapshot, VisitorClicks } from './visitor-clicks.js';
import { VisitorDays } from './visitor-days.js';

/** Which raw clicks: of a scope and span, and that fit. */
export interface RawChoice {
  scope: Scope;
  span: TimeSpan;
  filters: readonly Filter[];
  /** Undefined: all classes. */
  classes?: readonly TrafficClass[];
}

export interface QuarterCount {
  /** Start of the quarter hour. */
  quarter: number;
  trafficClass: TrafficClass;
  clicks: number;
}

export interface ValueCount {
  /** '' when unknown. */
  value: string;
  trafficClass: TrafficClass;
  clicks: number;
}

export interface VisitorCount {
  value: string;
  clicks: number;
  /** Different ones, summed over the days of their salts. */
  visitors: number;
}

/** A month and some days of a link. */
const HOURS_AT_ONCE = 1_000;
const FOREVER = Date.UTC(9999, 0);

/** Reads that all see one moment: when the first is answered, the others may go side by side. */
export class ClickReader {
  readonly #db: Db;
  readonly #session: ClientSession;
  readonly #months: readonly string[];
  readonly people: VisitorClicks;
  readonly days: VisitorDays;

  constructor({ db, session, months }: Snapshot) {
    this.#db = db;
    this.#session = session;
    this.#months = months;
    this.people = new VisitorClicks(db, { session, months });
    this.days = new VisitorDays(db, session);
  }

  /** Roll-ups whose hours begin in the span, in no order. */
  async *hours(
    scope: Scope,
    span: TimeSpan,
    want: { quarters?: boolean; maps?: readonly RollupMap[] },
  ): AsyncGenerator<Hour> {
    const projection: Record<string, 1> = { x: 1 };
    if (want.quarters) projection.q = 1;
    for (const map of want.maps ?? []) projection[map] = 1;
    const options = { projection, session: this.#session, batchSize: HOURS_AT_ONCE, raw: true };
    const found = this.#db.collection('clicks_hourly').find(rollupFilter(scope, span), options);
    while (await found.hasNext()) {
      for (const bytes of found.readBufferedDocuments()) yield readHour(bytes as unknown as Buffer);
    }
  }

  /** Start of the first hour with clicks. */
  async firstHour({ tenantId, linkIds }: Scope): Promise<number | undefined> {
    const keys = linkIds ?? [undefined];
    let first: number | undefined;
    for (const linkId of keys) {
      const scope = { tenantId, linkIds: linkId === undefined ? undefined : [linkId] };
      const filter = rollupFilter(scope, { from: 0, to: FOREVER });
      for (const range of (filter.$or as Document[] | undefined) ?? [filter]) {
        const found = await this.#db
          .collection<RollupDocument>('clicks_hourly')
          .findOne(range, { projection: { _id: 1 }, sort: { _id: 1 }, session: this.#session });
        const start = found?._id.h.getTime();
        if (start !== undefined) first = Math.min(start, first ?? start);
      }
    }
    return first;
  }

  /** Clicks of whole hours by link and class. */
  async hoursByLink(scope: Scope, span: TimeSpan): Promise<ValueCount[]> {
    const found = await this.#db
      .collection('clicks_hourly')
      .aggregate<{ _id: string } & Record<string, number>>(
        [
          { $match: linkRollupFilter(scope, span) },
          {
            $group: {
              _id: '$_id.l',
              ...Object.fromEntries(TRAFFIC_CLASSES.map((name) => [name, { $sum: `$x.${name}` }])),
            },
          },
        ],
        { session: this.#session },
      )
      .toArray();
    return found.flatMap((link) =>
      TRAFFIC_CLASSES.map((trafficClass) => ({ value: link._id, trafficClass, clicks: link[trafficClass] ?? 0 })),
    );
  }

  async rawByQuarter(choice: RawChoice): Promise<QuarterCount[]> {
    const quarter = { $subtract: [{ $toLong: '$t' }, { $mod: [{ $toLong: '$t' }, QUARTER_MS] }] };
    const found = await this.#raw<{ _id: { q: number; cls: TrafficClass }; n: number }>(choice, [
      { $group: { _id: { q: quarter, cls: '$cls' }, n: { $sum: 1 } } },
    ]);
    return found.map(({ _id, n }) => ({ quarter: _id.q, trafficClass: _id.cls, clicks: n }));
  }

  async rawByValue(choice: RawChoice, dimension: Dimension): Promise<ValueCount[]> {
    const found = await this.#raw<{ _id: { v?: unknown; cls: TrafficClass }; n: number }>(choice, [
      { $group: { _id: { v: `$${DIMENSIONS[dimension]}`, cls: '$cls' }, n: { $sum: 1 } } },
    ]);
    return found.map(({ _id, n }) => ({
      value: shownValue(dimension, _id.v),
      trafficClass: _id.cls,
      clicks: n,
    }));
  }

  /** A value whose clicks have no visitor is there too. */
  async visitorsByValue(choice: RawChoice, dimension: Dimension): Promise<VisitorCount[]> {
    const found = await this.#raw<{ _id: unknown; clicks: number; visitors: number }>(
      choice,
      countInto(`$${DIMENSIONS[dimension]}`),
    );
    return found.map(({ _id, clicks, visitors }) => ({ value: shownValue(dimension, _id), clicks, visitors }));
  }

  /** Different visitors, summed over the days of their salts. */
  async visitors(choice: RawChoice): Promise<number> {
    const [found] = await this.#raw<{ n: number }>(choice, [
      { $match: { v: { $exists: true } } },
      { $group: { _id: { sa: '$sa', v: '$v' } } },
      { $count: 'n' },
    ]);
    return found?.n ?? 0;
  }

  /** When each known visitor came: `who` is the same for the same person under the same salt. */
  async visits(choice: RawChoice): Promise<{ time: number; who: string }[]> {
    const found = await this.#raw<{ t: Date; who: string }>(choice, [
      { $match: { v: { $exists: true } } },
      { $project: { _id: 0, t: 1, who: { $concat: ['$sa', ' ', { $toString: '$v' }] } } },
    ]);
    return found.map(({ t, who }) => ({ time: t.getTime(), who }));
  }

  /** Clicks of the tenant that redirect processes had to drop in hours that the span touches. */
  droppedAtEdge(tenantId: string, { from, to }: TimeSpan): Promise<number> {
    return droppedAtEdge(this.#db, tenantId, from, to, this.#session);
  }

  /** Clicks of the scope in the span that were refused for their time. */
  refused({ tenantId, linkIds }: Scope, { from, to }: TimeSpan): Promise<number> {
    return refusedClicks(this.#db, tenantId, linkIds, from, to, this.#session);
  }

  /** Runs a pipeline over the clicks of the span, whatever months they are in. */
  async #raw<T extends Document>(
    { scope, span, filters, classes = TRAFFIC_CLASSES }: RawChoice,
    pipeline: Document[],
  ): Promise<T[]> {
    const [first, last] = [monthOf(span.from), monthOf(span.to - 1)] as const;
    const [start, ...others] = this.#months.filter((name) => name >= first && name <= last);
    if (!start || span.from >= span.to) return [];
    // The index of links has the class before the time: a span of all classes is one range for each.
    const conditions = [rawFilter(scope, span), { cls: { $in: [...classes] } }, ...filterConditions(filters)];
    const match = { $match: { $and: conditions } };
    const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: [match] } }));
    return this.#db
      .collection(start)
      .aggregate<T>([match, ...unions, ...pipeline], { session: this.#session })
      .toArray();
  }
}
