import type { ClientSession, Db } from 'mongodb';
import type { EdgeDrop } from '../clicks.js';

export const EDGE_DROPS = 'edge_drops';

/** What one pod had to drop of one tenant's clicks of one hour. */
export interface EdgeDropDocument {
  /** In the order of the fields: keys are compared as they are. */
  _id: { te: string; h: Date; pod: string };
  /** Bots and others. */
  b: number;
  o: number;
}

/** Keeps the highest totals, within the transaction of their batch: they may come again, and late. */
export async function raiseEdgeDrops(db: Db, drops: readonly EdgeDrop[], session: ClientSession): Promise<void> {
  const operations = highest(drops).map(({ tenantId, hourMs, pod, bots, others }) => ({
    updateOne: {
      filter: { _id: { te: tenantId, h: new Date(hourMs), pod } },
      update: { $max: { b: bots, o: others } },
      upsert: true,
    },
  }));
  await db.collection<EdgeDropDocument>(EDGE_DROPS).bulkWrite(operations, { session, ordered: false });
}

/** One of each key: pods repeat themselves in the messages of a batch. */
function highest(drops: readonly EdgeDrop[]): EdgeDrop[] {
  const byKey = new Map<string, EdgeDrop>();
  for (const drop of drops) {
    const key = `${drop.tenantId} ${drop.hourMs} ${drop.pod}`;
    const { bots, others } = byKey.get(key) ?? { bots: 0, others: 0 };
    byKey.set(key, { ...drop, bots: Math.max(bots, drop.bots), others: Math.max(others, drop.others) });
  }
  return [...byKey.values()];
}
