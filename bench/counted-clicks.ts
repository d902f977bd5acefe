import type { Db } from 'mongodb';
import { EVENTS } from '../services/stats/store/event-document.js';

/** @throws when the stored numbers are not exactly the generator's, by link and in all */
export async function checkCounted(db: Db, truth: ReadonlyMap<string, number>): Promise<void> {
  const wrong: string[] = [];
  const counted = await clicksByLink(db);
  for (const [name, clicks] of truth) {
    const found = counted.get(name) ?? 0;
    if (found !== clicks) wrong.push(`${name}: ${found} instead of ${clicks}`);
    counted.delete(name);
  }
  for (const [name, clicks] of counted) wrong.push(`${name}: ${clicks} that nobody sent`);
  const [raw, sent] = [await rawClicks(db), [...truth.values()].reduce((sum, clicks) => sum + clicks, 0)];
  if (raw !== sent) wrong.push(`${raw} raw clicks instead of ${sent}`);
  if (wrong.length > 0) throw new Error(`not exact, ${wrong.length} differences:\n${wrong.slice(0, 10).join('\n')}`);
}

/** From the hourly roll-ups, of every traffic class. */
async function clicksByLink(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const rollups = db.collection<{ _id: { te: string; l: string }; x: Record<string, number> }>('clicks_hourly');
  for await (const { _id, x } of rollups.find({}, { projection: { x: 1 } })) {
    // A partition's own sums.
    if (_id.l.startsWith('-')) continue;
    const name = `${_id.te} ${_id.l}`;
    const clicks = Object.values(x).reduce((sum, count) => sum + count, 0);
    counts.set(name, (counts.get(name) ?? 0) + clicks);
  }
  return counts;
}

async function rawClicks(db: Db): Promise<number> {
  const months = await db.listCollections({ name: EVENTS }, { nameOnly: true }).toArray();
  const counts = await Promise.all(months.map(({ name }) => db.collection(name).countDocuments()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** By the collections' own counters, which cost the server nothing. */
export async function roughCount(db: Db): Promise<number> {
  const months = await db.listCollections({ name: EVENTS }, { nameOnly: true }).toArray();
  const counts = await Promise.all(months.map(({ name }) => db.collection(name).estimatedDocumentCount()));
  return counts.reduce((sum, count) => sum + count, 0);
}
