import type { ClientSession, Db } from 'mongodb';
import { EDGE_DROPS, type EdgeDropDocument } from './edge-drops.js';
import { CLICKS_REFUSED, type RefusedDocument } from './refused-clicks.js';
import { HOUR_MS } from './rollup.js';

/** Clicks of a tenant that pods had to drop, of all hours that [from, to) touches. Milliseconds since 1970. */
export async function droppedAtEdge(
  db: Db,
  te: string,
  from: number,
  to: number,
  session?: ClientSession,
): Promise<number> {
  if (from >= to) return 0;
  const firstHour = new Date(Math.floor(from / HOUR_MS) * HOUR_MS);
  const [sum] = await db
    .collection<EdgeDropDocument>(EDGE_DROPS)
    .aggregate<{ clicks: number }>(
      [
        // A range of keys: an embedded key is compared field by field.
        { $match: { _id: { $gte: { te, h: firstHour }, $lt: { te, h: new Date(to) } } } },
        { $group: { _id: null, clicks: { $sum: { $add: ['$b', '$o'] } } } },
      ],
      { session },
    )
    .toArray();
  return sum?.clicks ?? 0;
}

/** Clicks of [from, to) that came too late or from the future; of all links without `linkIds`. */
export async function refusedClicks(
  db: Db,
  te: string,
  linkIds: readonly string[] | undefined,
  from: number,
  to: number,
  session?: ClientSession,
): Promise<number> {
  const ofLinks = linkIds ? { l: { $in: [...linkIds] } } : {};
  const filter = { te, t: { $gte: new Date(from), $lt: new Date(to) }, ...ofLinks };
  return db.collection<RefusedDocument>(CLICKS_REFUSED).countDocuments(filter, { session });
}
