import { Binary, type ClientSession, type Db } from 'mongodb';
import type { Click } from '../clicks.js';

/** Which of these clicks a collection has, as `keyOf` writes their ids. A duplicate key would end a transaction. */
export async function knownIds(
  db: Db,
  collection: string,
  clicks: readonly Click[],
  session: ClientSession,
): Promise<Set<string>> {
  const ids = clicks.map(({ id }) => new Binary(id));
  const known = await db
    .collection<{ _id: Binary }>(collection)
    .find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
    .toArray();
  return new Set(known.map(({ _id }) => keyOf(_id.buffer)));
}

/** An id as the key of a map. */
export function keyOf(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('latin1');
}
