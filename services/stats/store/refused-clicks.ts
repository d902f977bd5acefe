import { Binary, type ClientSession, type Db } from 'mongodb';
import type { Click } from '../clicks.js';
import { keyOf, knownIds } from './click-ids.js';
import { monthOf } from './event-document.js';

export const CLICKS_REFUSED = 'clicks_refused';
/** As long as raw clicks are kept. */
const TTL_SECONDS = 90 * 86_400;

/** Older than raw clicks are kept, or of a clock that is ahead. */
export type Refusal = 'LATE' | 'FUTURE';

export interface RefusedClick {
  click: Click;
  why: Refusal;
}

/** A click that counts nowhere else. */
export interface RefusedDocument {
  /** ULID, 16 bytes. */
  _id: Binary;
  te: string;
  l: string;
  t: Date;
  why: Refusal;
  /** When it was refused. */
  at: Date;
}

export async function prepareRefused(db: Db): Promise<void> {
  await db
    .collection(CLICKS_REFUSED)
    .createIndexes([{ key: { te: 1, t: 1 } }, { key: { at: 1 }, expireAfterSeconds: TTL_SECONDS }]);
}

/** Stores those that are neither refused nor stored yet, within the transaction of their batch. Resolves with these. */
export async function insertRefused(
  db: Db,
  refused: readonly RefusedClick[],
  session: ClientSession,
): Promise<RefusedClick[]> {
  const fresh = new Map(refused.map((each) => [keyOf(each.click.id), each]));
  const clicks = refused.map(({ click }) => click);
  for (const id of await knownIds(db, CLICKS_REFUSED, clicks, session)) fresh.delete(id);
  // One that was in time when it came first, and comes again.
  for (const month of new Set(clicks.map(({ timeMs }) => monthOf(timeMs)))) {
    for (const id of await knownIds(db, month, clicks, session)) fresh.delete(id);
  }
  const documents = [...fresh.values()].map(
    ({ click, why }): RefusedDocument => ({
      _id: new Binary(click.id),
      te: click.tenantId,
      l: click.linkId,
      t: new Date(click.timeMs),
      why,
      at: new Date(),
    }),
  );
  if (documents.length > 0) {
    await db.collection<RefusedDocument>(CLICKS_REFUSED).insertMany(documents, { session, ordered: false });
  }
  return [...fresh.values()];
}
