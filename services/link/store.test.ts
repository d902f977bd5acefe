import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from '../../dev/engines.js';
import { bucketOf } from '../../model/link-id.js';
import { createLog } from '../../runtime/log.js';
import { Mongo } from '../../runtime/mongo.js';
import { Outbox, outboxRow } from '../../runtime/outbox.js';
import { IdIssuer } from './id-issuer.js';
import { type Link, type LinkVersion, versionState } from './link.js';
import { readPage } from './page.js';
import { readSnapshots } from './store/snapshot-view.js';
import { WorkerRegistry } from './store/workers.js';
import { type Change, type Insertion, LinkStore } from './store.js';

const log = createLog('test', 'silent');
const actor = { id: 'key_1', kind: 'API_KEY' as const, name: 'test' };
const from = { source: 'API', clientIp: '', traceId: '' };

let dir: string;
let engines: Engines;
let mongo: Mongo;
let admin: MongoClient;
let store: LinkStore;
let ids: IdIssuer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-store-'));
  engines = await startEngines({ dataDir: dir, testCommands: true, log: () => undefined });
  mongo = connect();
  admin = new MongoClient(engines.mongodbUrl);
  store = new LinkStore(mongo, outbox(mongo));
  await store.ensureIndexes();
  ids = new IdIssuer(new WorkerRegistry(mongo.db), log);
  await ids.start();
});

afterAll(async () => {
  await ids?.stop();
  await mongo?.stop();
  await admin?.close();
  await engines?.stop();
  await rm(dir, { recursive: true, force: true });
});

function connect(timeoutMs = 6_000): Mongo {
  const { mongodbUrl: url } = engines;
  return new Mongo({ url, database: 'waypost', timeoutMs, commitWaitMs: 5_000, appName: 'test' });
}

function outbox(of: Mongo): Outbox {
  return new Outbox(of, { collection: 'outbox_link', effects: [], log });
}

let made = 0;

function insertion(fields: Partial<Link> = {}, key?: string): Insertion {
  const groupId = 'grp_1';
  const shortCode = fields.shortCode ?? `code${made++}`;
  const now = new Date();
  const risk = { verdict: 'ALLOW' as const, reasons: [], flags: [], at: now };
  const link: Link = {
    id: ids.issue(groupId, shortCode),
    tenantId: 'ten_1',
    groupId,
    domainId: 'dom_1',
    shortCode,
    target: { url: 'https://example.com/', canonicaliser: 1, risk },
    redirectType: 302,
    tags: [],
    metadata: [],
    disabled: false,
    version: 1,
    rev: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: actor,
    updatedBy: actor,
    createdFrom: from,
    ...fields,
  };
  return { link, row: row(link), idempotency: key ? { key, digest: Buffer.alloc(32, 1) } : undefined };
}

function row(link: Link) {
  const audit = { action: 'test', object: String(link.id), source: 'API', clientIp: '' };
  const { tenantId, rev } = link;
  return outboxRow(
    { type: 'test', tenantId, objectId: String(link.id), rev, actor, traceId: '', subjects: [], audit },
    [],
  );
}

function change(before: Link, fields: Partial<Link>): Change {
  const after: Link = { ...before, ...fields, version: before.version + 1, rev: before.rev + 1, updatedAt: new Date() };
  const { version, updatedAt: createdAt } = after;
  const stored: LinkVersion = {
    version,
    state: versionState(after),
    previous: versionState(before),
    actor,
    from,
    createdAt,
  };
  return { before, after, version: stored, row: row(after) };
}

async function rowsIn(collection: string): Promise<number> {
  return mongo.db.collection(collection).countDocuments();
}

describe('inserting', () => {
  it('gives one code to one of 200 parallel callers, and a conflict to each other', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => store.insert(insertion({ shortCode: 'wanted' }))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'code')).toHaveLength(199);
  });

  it('commits everybody else of a group in which one meets a conflict', async () => {
    await store.insert(insertion({ shortCode: 'occupied' }));
    const before = await rowsIn('outbox_link');
    const wanted = Array.from({ length: 100 }, (_, i) => insertion(i % 10 === 5 ? { shortCode: 'occupied' } : {}));
    const outcomes = await Promise.all(wanted.map((each) => store.insert(each)));
    expect(outcomes.map((outcome, i) => (i % 10 === 5 ? outcome === 'code' : outcome === undefined))).toEqual(
      wanted.map(() => true),
    );
    // Neither a link without its event nor an event without its link.
    expect((await rowsIn('outbox_link')) - before).toBe(90);
  });

  it('makes one link for each idempotency key, in 50 races of 8', async () => {
    for (let round = 0; round < 50; round++) {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.insert(insertion({}, `race${round}`))));
      expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'idempotency')).toHaveLength(7);
    }
  });

  it('makes one link although the first commit stalls past every time-out and eight retries race it', async () => {
    const hasty = connect(1_500);
    const impatient = new LinkStore(hasty, outbox(hasty));
    try {
      await admin.db('admin').command({
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: { failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: 4_000 },
      });
      const first = impatient.insert(insertion({}, 'stalled')).catch((error: unknown) => error);
      const retries = Array.from({ length: 8 }, () =>
        impatient.insert(insertion({}, 'stalled')).catch((error: unknown) => error),
      );
      await Promise.all([first, ...retries]);
      const { modifiedCount, claim } = await settled('idem:ten_1:stalled');
      expect(modifiedCount).toBe(0);
      const link = await store.links('ten_1', [claim.linkId.toBigInt()]);
      expect(link).toHaveLength(1);
      // Every later call meets it, and makes nothing.
      expect(await store.insert(insertion({}, 'stalled'))).toBe('idempotency');
      const sameTarget = await mongo.db.collection('links').countDocuments({ _id: claim.linkId as never });
      expect(sameTarget).toBe(1);
    } finally {
      await hasty.stop();
    }
  });

  /** Waits until the claim is there: the stalled commit, or one of the retries, has made it. */
  async function settled(id: string) {
    const end = Date.now() + 15_000;
    for (;;) {
      const claim = await store.claims.find(id);
      if (claim) {
        // A write to it would conflict with a transaction that is still open.
        const { modifiedCount } = await mongo.db
          .collection('claims')
          .updateOne({ _id: id as never }, { $unset: { x: 1 } });
        return { claim, modifiedCount };
      }
      if (Date.now() > end) throw new Error('nothing was committed');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

describe('changing', () => {
  it('lets one of 64 clients win that read the same version, and applies nothing of the others', async () => {
    const { link } = await inserted();
    const rows = await rowsIn('outbox_link');
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, i) => store.update(change(link, { title: `writer ${i}` }))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(63);
    const winner = outcomes.indexOf(undefined);
    const [now] = await store.links('ten_1', [link.id]);
    expect(now).toMatchObject({ title: `writer ${winner}`, version: 2, rev: 2 });
    expect(await store.versions(link.id, 1_000, 10)).toHaveLength(1);
    expect((await rowsIn('outbox_link')) - rows).toBe(1);
  });

  it('clears what was cleared, and finds nothing of it afterwards', async () => {
    const { link } = await inserted({ title: 'old', note: 'old', expiresAt: new Date('2030-01-01') });
    await store.update(change(link, { title: undefined, note: undefined, expiresAt: undefined }));
    const [now] = await store.links('ten_1', [link.id]);
    expect([now?.title, now?.note, now?.expiresAt]).toEqual([undefined, undefined, undefined]);
  });

  it('moves an external id: the old is free at once, the new is taken', async () => {
    const { link } = await inserted({ externalId: 'a' });
    expect(await store.insert(insertion({ externalId: 'a' }))).toBe('external-id');
    expect(await store.update(change(link, { externalId: 'b' }))).toBeUndefined();
    expect((await store.linkByExternalId('ten_1', 'b'))?.id).toBe(link.id);
    expect(await store.linkByExternalId('ten_1', 'a')).toBeUndefined();
    expect(await store.insert(insertion({ externalId: 'a' }))).toBeUndefined();
    expect(await store.insert(insertion({ externalId: 'b' }))).toBe('external-id');
    expect(await store.insert(insertion({ externalId: 'b', tenantId: 'ten_2' }))).toBeUndefined();
  });

  it('is refused under an idempotency key that another request has used', async () => {
    const { link } = await inserted({}, 'spent');
    const attempt = { ...change(link, { title: 'x' }), idempotency: { key: 'spent', digest: Buffer.alloc(32, 2) } };
    expect(await store.update(attempt)).toBe('idempotency');
    expect((await store.links('ten_1', [link.id]))[0]?.version).toBe(1);
  });
});

describe('reading', () => {
  it('gives no link to another tenant, by whatever it is asked for', async () => {
    const { link } = await inserted({ externalId: 'theirs' });
    expect(await store.links('ten_2', [link.id])).toEqual([]);
    expect(await store.linkByCode('ten_2', link.groupId, link.shortCode)).toBeUndefined();
    expect(await store.linkByExternalId('ten_2', 'theirs')).toBeUndefined();
    expect(await store.page('ten_2', readPage('CREATED_DESC', 100, ''))).not.toContainEqual(
      expect.objectContaining({ id: link.id }),
    );
  });

  it('shows the redirect what an answer needs and nothing else', async () => {
    const { link } = await inserted({ title: 'private', note: 'private', metadata: [['private', 1]] });
    const { groupId, shortCode } = link;
    const row = await mongo.db
      .collection('snapshots')
      .findOne({ bucket: bucketOf(groupId, shortCode), groupId, shortCode });
    expect(Object.keys(row ?? {}).sort()).toEqual([
      '_id',
      'bucket',
      'changedAt',
      'disabled',
      'groupId',
      'redirectType',
      'rev',
      'risk',
      'shortCode',
      'targetUrl',
      'tenantId',
      'version',
    ]);
    expect(await readSnapshots(mongo.db, [link.id])).toMatchObject([{ snapshot: { rev: 1, risk: 'ALLOW' } }]);
  });
});

describe('ids', () => {
  it('are unique over 8 processes whose clocks step by 10 seconds', async () => {
    let skew = 0;
    const issuers = Array.from(
      { length: 8 },
      (_, i) => new IdIssuer(new WorkerRegistry(mongo.db), log, () => Date.now() + (i % 2 ? skew : -skew)),
    );
    await Promise.all(issuers.map((issuer) => issuer.start()));
    const issued = new Set<bigint>();
    for (const step of [0, 10_000, -10_000, 5_000, 0]) {
      skew = step;
      for (const issuer of issuers) for (let i = 0; i < 500; i++) issued.add(issuer.issue('grp_1', `c${i}`));
    }
    await Promise.all(issuers.map((issuer) => issuer.stop()));
    expect(issued.size).toBe(8 * 5 * 500);
  });

  it('of a new holder of a worker number begin after those of the holder before, also when its clock is behind', async () => {
    const registry = new WorkerRegistry(mongo.db);
    const worker = 77;
    expect(await registry.take(worker)).toBeDefined();
    await registry.renew(worker, 9_000_000_000_000);
    expect(await new WorkerRegistry(mongo.db).take(worker)).toBeUndefined();
    await registry.release(worker, 9_000_000_000_000);
    expect(await new WorkerRegistry(mongo.db).take(worker)).toBe(9_000_000_000_000);
    expect(await registry.renew(worker, 1)).toBe(false);
  });
});

async function inserted(fields: Partial<Link> = {}, key?: string): Promise<Insertion> {
  const each = insertion(fields, key);
  expect(await store.insert(each)).toBeUndefined();
  return each;
}
