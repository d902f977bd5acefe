import type { Db, Document } from 'mongodb';
import { EVENTS, monthOf } from './event-document.js';
import { HOUR_MS } from './rollup.js';

/** Half-open, milliseconds since 1970; absent ends are open. */
export interface ClickRange {
  from?: number | undefined;
  to?: number | undefined;
}

export interface ClickCount {
  human: number;
  /** Previews too. */
  bot: number;
  /** Exact; absent when raw clicks of the range are gone, or are too many to be counted. */
  unique?: number | undefined;
}

/** Different visitors of more are an estimate's task. */
const MAX_EXACT = 100_000;
const FOREVER = Date.UTC(9999, 0);

/** Whole hours from the roll-ups, what is left at the ends from the clicks themselves. */
export async function countClicks(
  db: Db,
  tenantId: string,
  linkIds: readonly string[],
  { from = 0, to = FOREVER }: ClickRange,
): Promise<Map<string, ClickCount>> {
  const counts = new Map<string, ClickCount>();
  if (linkIds.length === 0 || from >= to) return counts;
  const [firstHour, lastHour] = [Math.ceil(from / HOUR_MS) * HOUR_MS, Math.floor(to / HOUR_MS) * HOUR_MS];
  // Within one hour there is no whole one.
  const ends = [
    { start: from, end: firstHour },
    { start: lastHour, end: to },
  ];
  const edges = firstHour > lastHour ? [{ start: from, end: to }] : ends;
  const parts = await Promise.all([
    firstHour < lastHour ? countHours(db, tenantId, linkIds, firstHour, lastHour) : [],
    ...edges.map(({ start, end }) => (start < end ? countRaw(db, tenantId, linkIds, start, end) : [])),
  ]);
  for (const { _id, human, bot } of parts.flat()) {
    const count = counts.get(_id) ?? { human: 0, bot: 0 };
    counts.set(_id, { human: count.human + human, bot: count.bot + bot });
  }
  await addUnique(db, tenantId, counts, from, to);
  return counts;
}

interface LinkCount {
  _id: string;
  human: number;
  bot: number;
}

function countHours(db: Db, te: string, links: readonly string[], from: number, to: number): Promise<LinkCount[]> {
  // A range of keys for each link: an embedded key is compared field by field.
  const ranges = links.map((l) => ({
    _id: { $gte: { te, l, h: new Date(from) }, $lt: { te, l, h: new Date(to) } },
  }));
  return db
    .collection('clicks_hourly')
    .aggregate<LinkCount>([
      { $match: { $or: ranges } },
      { $group: { _id: '$_id.l', human: { $sum: '$x.HUMAN' }, bot: { $sum: { $sum: ['$x.BOT', '$x.PREVIEW'] } } } },
    ])
    .toArray();
}

function countRaw(db: Db, te: string, links: readonly string[], from: number, to: number): Promise<LinkCount[]> {
  const one = (cls: string[]) => ({ $sum: { $cond: [{ $in: ['$cls', cls] }, 1, 0] } });
  return rawClicks<LinkCount>(db, { te, l: { $in: [...links] } }, from, to, [
    { $group: { _id: '$l', human: one(['HUMAN']), bot: one(['BOT', 'PREVIEW']) } },
  ]);
}

/** Rows of different visitors, and whether all people that the roll-ups count are still there to be told apart. */
async function addUnique(db: Db, te: string, counts: Map<string, ClickCount>, from: number, to: number): Promise<void> {
  const few = [...counts].filter(([, { human }]) => human < MAX_EXACT).map(([linkId]) => linkId);
  if (few.length === 0) return;
  const found = await rawClicks<{ _id: string; clicks: number; unique: number }>(
    db,
    { te, l: { $in: few }, cls: 'HUMAN' },
    from,
    to,
    [
      // One row for those that asked not to be counted: no visitor.
      { $group: { _id: { l: '$l', sa: '$sa', v: '$v' }, clicks: { $sum: 1 } } },
      {
        $group: {
          _id: '$_id.l',
          clicks: { $sum: '$clicks' },
          unique: { $sum: { $cond: [{ $gt: ['$_id.v', null] }, 1, 0] } },
        },
      },
    ],
  );
  const raw = new Map(found.map((each) => [each._id, each]));
  for (const linkId of few) {
    const count = counts.get(linkId);
    const { clicks, unique } = raw.get(linkId) ?? { clicks: 0, unique: 0 };
    if (count && clicks === count.human) count.unique = unique;
  }
}

/** Runs a pipeline over the clicks of [from, to), whatever months they are in. */
async function rawClicks<T extends Document>(
  db: Db,
  filter: Document,
  from: number,
  to: number,
  pipeline: Document[],
): Promise<T[]> {
  const existing = await db.listCollections({ name: EVENTS }, { nameOnly: true }).toArray();
  const names = existing.map(({ name }) => name).sort();
  const [first, last] = [monthOf(from), monthOf(to - 1)] as const;
  const [start, ...others] = names.filter((name) => name >= first && name <= last);
  if (!start) return [];
  const match = { $match: { ...filter, t: { $gte: new Date(from), $lt: new Date(to) } } };
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: [match] } }));
  return db
    .collection(start)
    .aggregate<T>([match, ...unions, ...pipeline])
    .toArray();
}
