import type { Db } from 'mongodb';
import type { HostEntry } from '../model/host.js';
import { bucketOf, composeLinkId, SEQUENCES } from '../model/link-id.js';
import { createLog } from '../runtime/log.js';
import { Mongo } from '../runtime/mongo.js';
import { Outbox } from '../runtime/outbox.js';
import type { Link } from '../services/link/link.js';
import { type LinkDocument, linkDocument } from '../services/link/store/document.js';
import { LinkStore } from '../services/link/store.js';

const BASE62 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const CODE_LENGTH = 7;
const CODES = BASE62.length ** CODE_LENGTH;
/** Prime to the number of codes, so that no code comes twice; neighbours are far apart, as random codes are. */
const STRIDE = 2_654_435_761;
const CHUNK = 5_000;
const DAY_MS = 86_400_000;

/** The code of the i-th link, without a list of them. */
export function codeAt(i: number): string {
  let rest = (i * STRIDE + 12_345) % CODES;
  let code = '';
  for (let n = 0; n < CODE_LENGTH; n++) {
    code += BASE62[rest % BASE62.length];
    rest = Math.floor(rest / BASE62.length);
  }
  return code;
}

/** The host of the first tenant, as the domain service registered it. */
export async function firstHost(db: Db): Promise<HostEntry> {
  const found = await db.collection<Omit<HostEntry, 'hostname'> & { _id: string }>('hosts').findOne();
  if (!found) throw new Error('no host is registered');
  const { _id: hostname, ...rest } = found;
  return { hostname, ...rest };
}

/** Links of one host, in the shape in which the link service writes them, a day old; then its indexes and its view. */
export async function storeLinks(url: string, db: Db, host: HostEntry, count: number): Promise<void> {
  const links = db.collection<LinkDocument>('links');
  const at = new Date(Date.now() - DAY_MS);
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const documents = Array.from({ length: size }, (_, k) => linkDocument(linkAt(from + k, host, at)));
    await links.insertMany(documents, { ordered: false, ignoreUndefined: true, writeConcern: { w: 1 } });
  }
  const mongo = new Mongo({
    url,
    database: db.databaseName,
    // Indexes of a million links are made at once.
    timeoutMs: 300_000,
    commitWaitMs: 60_000,
    appName: 'waypost-bench',
  });
  const outbox = new Outbox(mongo, { collection: 'outbox_link', effects: [], log: createLog('bench', 'warn') });
  try {
    await new LinkStore(mongo, outbox).ensureIndexes();
  } finally {
    await outbox.stop();
    await mongo.stop();
  }
}

function linkAt(i: number, host: HostEntry, at: Date): Link {
  const { tenantId, groupId, domainId } = host;
  const shortCode = codeAt(i);
  const actor = { id: 'key_bench', kind: 'API_KEY', name: 'bench' } as const;
  return {
    id: composeLinkId({
      ms: at.getTime() + Math.floor(i / SEQUENCES),
      bucket: bucketOf(groupId, shortCode),
      worker: 0,
      sequence: i % SEQUENCES,
    }),
    tenantId,
    groupId,
    domainId,
    shortCode,
    target: {
      url: targetOf(shortCode),
      canonicaliser: 1,
      risk: { verdict: 'ALLOW', reasons: [], flags: [], at },
    },
    redirectType: 302,
    disabled: false,
    tags: [],
    metadata: [],
    version: 1,
    rev: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: actor,
    updatedBy: actor,
    createdFrom: { source: 'API', clientIp: '127.0.0.1', traceId: '' },
  };
}

/** Some 100 characters, as targets with a campaign have. */
export function targetOf(code: string): string {
  return `https://www.example.com/products/${code}?utm_source=newsletter&utm_medium=email&utm_campaign=spring-${code}`;
}
