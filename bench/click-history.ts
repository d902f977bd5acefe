import type { Db, Document } from 'mongodb';
import { ulidBytes } from '../runtime/ulid.js';
import type { Click } from '../services/stats/clicks.js';
import { CHANNELS } from '../services/stats/enrich/channel.js';
import { EVENT_INDEXES, eventDocument, monthOf } from '../services/stats/store/event-document.js';
import { deltasOf, incrementsOf, type RollupDelta } from '../services/stats/store/rollup.js';
import { any, COUNTRIES, LANGUAGES } from './click-stream.js';

export interface History {
  clicks: number;
  links: number;
  tenants: number;
  days: number;
  /** Its first link, the hottest, and that link's tenant. */
  hottest: { linkId: string; tenantId: string };
}

const HOUR_MS = 3_600_000;
const INSERT = 10_000;
const BROWSERS = ['Chrome', 'Mobile Safari', 'WeChat', 'Firefox', 'Edge', ''];
const SYSTEMS = ['Android', 'iOS', 'Windows', 'Mac OS', 'Linux', ''];
const DEVICES = ['ANDROID', 'IOS', 'DESKTOP', 'OTHER'] as const;

/**
 * Writes clicks of the past, hour by hour, evenly over the days and by Zipf over the links, as the stats service stores
 * them. Not through it: that would take many times as long.
 */
export async function writeHistory(db: Db, history: History, say: (line: string) => void): Promise<void> {
  const hours = history.days * 24;
  const first = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hours * HOUR_MS;
  const writer = new Writer(db);
  let written = 0;
  let writing = Promise.resolve();
  for (let i = 0; i < hours; i++) {
    const clicks = clicksOf(history, first + i * HOUR_MS);
    // While the database takes an hour the next is made.
    await writing;
    writing = writer.write(clicks);
    written += clicks.length;
    if (i % 100 === 99) say(`${written} of about ${history.clicks} clicks are written`);
  }
  await writing;
  await writer.end();
}

/** Of one hour, in the order of their time. */
function clicksOf({ clicks, links, tenants, days, hottest }: History, hour: number): Click[] {
  const weight = clicks / harmonic(links) / (days * 24);
  const made: Click[] = [];
  for (let rank = 1; rank <= links; rank++) {
    const linkId = rank === 1 ? hottest.linkId : `lnk_${String(rank).padStart(13, '0')}`;
    const tenantId = rank % tenants === 1 ? hottest.tenantId : `ten_${rank % tenants}`;
    // A fraction is the chance of one.
    const count = Math.floor(weight / rank + Math.random());
    for (let i = 0; i < count; i++)
      made.push(clickOf(tenantId, linkId, rank, hour + Math.floor(Math.random() * HOUR_MS)));
  }
  return made.sort((a, b) => a.timeMs - b.timeMs);
}

function clickOf(tenantId: string, linkId: string, rank: number, timeMs: number): Click {
  return {
    id: ulidBytes(timeMs),
    timeMs,
    tenantId,
    linkId,
    groupId: 'grp_bench',
    domainId: 'dom_bench',
    shortCode: `c${rank}`,
    targetVersion: 1,
    visitor: BigInt(Math.floor(Math.random() * 1_000_000)),
    saltId: new Date(timeMs).toISOString().slice(0, 10),
    trafficClass: Math.random() < 0.12 ? 'BOT' : 'HUMAN',
    country: any(COUNTRIES),
    client: { device: any(DEVICES), os: any(SYSTEMS), browser: any(BROWSERS) },
    referrer: `site${Math.floor(Math.random() ** 3 * 60)}.example`,
    language: any(LANGUAGES),
    trigger: Math.random() < 0.1 ? 'qr' : 'link',
    channel: any(CHANNELS),
    campaign: undefined,
    status: 302,
    costUs: 100,
  };
}

/** Single clicks, and what they add to the roll-ups. */
class Writer {
  readonly #db: Db;
  readonly #months = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** All clicks of an hour at once. */
  async write(clicks: readonly Click[]): Promise<void> {
    const month = monthOf(clicks[0]?.timeMs ?? 0);
    this.#months.add(month);
    await this.#insert(
      month,
      clicks.map((click) => eventDocument(click, 0)),
    );
    await this.#insert('clicks_hourly', deltasOf(clicks, 0).map(rollupOf));
  }

  async #insert(collection: string, documents: Document[]): Promise<void> {
    for (let i = 0; i < documents.length; i += INSERT) {
      await this.#db.collection(collection).insertMany(documents.slice(i, i + INSERT), { ordered: false });
    }
  }

  async end(): Promise<void> {
    // Once and for all takes a fraction of what it takes click by click.
    for (const month of this.#months) await this.#db.collection(month).createIndexes(EVENT_INDEXES);
  }
}

/** What an upsert of these increments makes. */
function rollupOf(delta: RollupDelta): Document {
  const document: Document = { _id: delta.key };
  for (const [path, n] of Object.entries(incrementsOf(delta))) {
    const names = path.split('.');
    const last = names.pop() as string;
    let place = document;
    for (const name of names) place = place[name] ??= {};
    place[last] = n;
  }
  return document;
}

function harmonic(n: number): number {
  let sum = 0;
  for (let k = 1; k <= n; k++) sum += 1 / k;
  return sum;
}
