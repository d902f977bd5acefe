import type { ClientSession, Db } from 'mongodb';
import { HOUR_MS } from './rollup.js';

/** Clicks that redirect processes had to drop in the hours that [from, to) touches. */
export async function droppedAtEdge(
  db: Db,
  te: string,
  from: number,
  to: number,
  session?: ClientSession,
): Promise<number> {
  const hours = { $gte: new Date(Math.floor(from / HOUR_MS) * HOUR_MS), $lt: new Date(to) };
  const [sum] = await db
    .collection('edge_drops')
    .aggregate<{ n: number }>(
      [
        { $match: { '_id.te': te, '_id.h': hours } },
        { $group: { _id: null, n: { $sum: { $add: ['$bots', '$others'] } } } },
      ],
      { session },
    )
    .toArray();
  return sum?.n ?? 0;
}

/** Clicks of [from, to) that were refused for their time. */
export function refusedClicks(
  db: Db,
  te: string,
  linkIds: readonly string[] | undefined,
  from: number,
  to: number,
  session?: ClientSession,
): Promise<number> {
  const t = { $gte: new Date(from), $lt: new Date(to) };
  const filter = linkIds ? { te, l: { $in: [...linkIds] }, t } : { te, t };
  return db.collection('clicks_refused').countDocuments(filter, { session });
}
