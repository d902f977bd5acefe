import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import {
  capMap,
  DIMENSIONS,
  type Dimension,
  incrementsOf,
  MAX_KEYS,
  type RollupDelta,
  type RollupKey,
} from './rollup.js';

export type RollupDocument = {
  _id: RollupKey;
  x: Record<string, number>;
  q: Record<string, Record<string, number>>;
} & Partial<Record<Dimension, Record<string, number>>>;

type Rollups = Collection<{ _id: RollupKey }>;

/** Adds to the documents, within the transaction of the clicks that they count. */
export async function addRollups(rollups: Rollups, deltas: RollupDelta[], session: ClientSession): Promise<void> {
  await capKeys(rollups, deltas, session);
  // In one order for all writers, so that two never wait for each other.
  const operations = deltas.map(
    (delta): AnyBulkWriteOperation<{ _id: RollupKey }> => ({
      updateOne: { filter: { _id: delta.key }, update: { $inc: incrementsOf(delta) }, upsert: true },
    }),
  );
  await rollups.bulkWrite(operations, { session, ordered: false });
}

/**
 * Keeps maps to MAX_KEYS. A map has no more keys than the document has people, so only documents with many are read: few
 * of a batch.
 */
async function capKeys(rollups: Rollups, deltas: RollupDelta[], session: ClientSession): Promise<void> {
  const most = Math.max(...deltas.map(longestMap));
  const projection = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, 1]));
  const large = await rollups
    .find<RollupDocument>(
      { _id: { $in: deltas.map(({ key }) => key) }, 'x.HUMAN': { $gt: MAX_KEYS - most } },
      { session, projection },
    )
    .toArray();
  const held = new Map(large.map((document) => [nameOf(document._id), document]));
  for (const delta of deltas) {
    const document = held.get(nameOf(delta.key));
    if (!document && longestMap(delta) <= MAX_KEYS) continue;
    for (const dimension of DIMENSIONS) {
      delta.maps[dimension] = capMap(delta.maps[dimension], Object.keys(document?.[dimension] ?? {}));
    }
  }
}

function longestMap({ maps }: RollupDelta): number {
  return Math.max(...DIMENSIONS.map((dimension) => maps[dimension].size));
}

function nameOf({ te, l, h }: RollupKey): string {
  return `${te} ${l} ${h.getTime()}`;
}
