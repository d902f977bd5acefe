import type { Db, Document } from 'mongodb';
import { ulidBytes } from '../runtime/ulid.js';
import type { Click } from '../services/stats/clicks.js';
import { CHANNELS } from '../services/stats/enrich/channel.js';
import { EVENT_INDEXES, eventDocument, monthOf } from '../services/stats/store/event-document.js';
import { deltasOf, incrementsOf, type RollupKey } from '../services/stats/store/rollup.js';
import { any, COUNTRIES, LANGUAGES } from './click-stream.js';

export interface History {
  clicks: number;
  links: number;
  tenants: number;
  days: number;
  /** Its first link, the hottest, and that link's tenant. */
  hottest: { linkId: string; tenantId: string };
}

const DAY_MS = 86_400_000;
const INSERT = 10_000;
const BROWSERS = ['Chrome', 'Mobile Safari', 'WeChat', 'Firefox', 'Edge', ''];
const SYSTEMS = ['Android', 'iOS', 'Windows', 'Mac OS', 'Linux', ''];
const DEVICES = ['ANDROID', 'IOS', 'DESKTOP', 'OTHER'] as const;

/**
 * Writes clicks of the past, evenly over the days and by Zipf over the links, as the stats service stores them. Not through
 * it: that would take many times as long.
 */
export async function writeHistory(db: Db, history: History, say: (line: string) => void): Promise<void> {
  const { clicks, links } = history;
  const weight = clicks / harmonic(links);
  const writer = new Writer(db);
  let written = 0;
  for (let rank = 1; rank <= links; rank++) {
    const count = Math.max(1, Math.round(weight / rank));
    // In parts, so that the hottest link does not fill the memory.
    for (let from = 0; from < count; from += INSERT) {
      await writer.add(clicksOf(history, rank, Math.min(INSERT, count - from), count));
    }
    await writer.endLink();
    written += count;
    if (rank === 1 || rank === 100 || rank % 2_000 === 0) say(`${written} of about ${clicks} clicks are written`);
  }
  await writer.end();
}

function clicksOf({ tenants, days, hottest }: History, rank: number, count: number, ofLink: number): Click[] {
  const linkId = rank === 1 ? hottest.linkId : `lnk_${String(rank).padStart(13, '0')}`;
  const tenantId = rank % tenants === 1 ? hottest.tenantId : `ten_${rank % tenants}`;
  const now = Date.now();
  return Array.from({ length: count }, (): Click => {
    const timeMs = now - Math.floor(Math.random() * days * DAY_MS);
    return {
      id: ulidBytes(timeMs),
      timeMs,
      tenantId,
      linkId,
      groupId: 'grp_bench',
      domainId: 'dom_bench',
      shortCode: `c${rank}`,
      targetVersion: 1,
      visitor: BigInt(Math.floor(Math.random() * ofLink)),
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
  });
}

interface Sum {
  key: RollupKey;
  /** By the paths of an `$inc`. */
  increments: Record<string, number>;
}

/** Single clicks and, summed up, what they add to the roll-ups. */
class Writer {
  readonly #db: Db;
  readonly #months = new Set<string>();
  #link = new Map<string, Sum>();
  readonly #tenants = new Map<string, Sum>();
  #rollups: Document[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  async add(clicks: readonly Click[]): Promise<void> {
    for (const [month, some] of groupByMonth(clicks)) {
      this.#months.add(month);
      const documents: Document[] = some.map((click) => eventDocument(click, 0));
      await this.#db.collection(month).insertMany(documents, { ordered: false });
    }
    for (const delta of deltasOf(clicks, 0)) {
      const sums = delta.key.l.startsWith('-') ? this.#tenants : this.#link;
      const name = `${delta.key.te} ${delta.key.h.getTime()}`;
      const sum = sums.get(name) ?? { key: delta.key, increments: {} };
      sums.set(name, sum);
      for (const [path, n] of Object.entries(incrementsOf(delta)))
        sum.increments[path] = (sum.increments[path] ?? 0) + n;
    }
  }

  async endLink(): Promise<void> {
    for (const sum of this.#link.values()) this.#rollups.push(documentOf(sum));
    this.#link = new Map();
    if (this.#rollups.length >= INSERT) await this.#insert();
  }

  async end(): Promise<void> {
    for (const sum of this.#tenants.values()) this.#rollups.push(documentOf(sum));
    await this.#insert();
    // Once and for all takes a fraction of what it takes click by click.
    for (const month of this.#months) await this.#db.collection(month).createIndexes(EVENT_INDEXES);
  }

  async #insert(): Promise<void> {
    const rollups = this.#rollups;
    this.#rollups = [];
    for (let i = 0; i < rollups.length; i += INSERT) {
      await this.#db.collection('clicks_hourly').insertMany(rollups.slice(i, i + INSERT), { ordered: false });
    }
  }
}

/** What an upsert with these increments makes. */
function documentOf({ key, increments }: Sum): Document {
  const document: Document = { _id: key };
  for (const [path, n] of Object.entries(increments)) {
    const names = path.split('.');
    const last = names.pop() as string;
    let place = document;
    for (const name of names) place = place[name] ??= {};
    place[last] = n;
  }
  return document;
}

function groupByMonth(clicks: readonly Click[]): Map<string, Click[]> {
  const months = new Map<string, Click[]>();
  for (const click of clicks) {
    const month = monthOf(click.timeMs);
    const some = months.get(month);
    if (some) some.push(click);
    else months.set(month, [click]);
  }
  return months;
}

function harmonic(n: number): number {
  let sum = 0;
  for (let k = 1; k <= n; k++) sum += 1 / k;
  return sum;
}
