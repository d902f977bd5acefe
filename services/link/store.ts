import { Binary, type ClientSession, type Collection, type Filter, Long } from 'mongodb';
import { bucketOf, bucketOfId } from '../../model/link-id.js';
import type { Mongo } from '../../runtime/mongo.js';
import { duplicateKey, wasRolledBack } from '../../runtime/mongo-fault.js';
import type { Outbox, OutboxRow } from '../../runtime/outbox.js';
import { CommitGroup } from './commit-group.js';
import type { Link, LinkVersion } from './link.js';
import type { Page } from './page.js';
import { type Claim, Claims, externalIdClaim, idempotencyClaim, idempotencyEnds } from './store/claims.js';
import {
  type LinkDocument,
  linkDocument,
  linkOf,
  linksById,
  type VersionDocument,
  versionOf,
} from './store/document.js';
import { pageFilter, pageSort } from './store/page-query.js';
import { createSnapshotView } from './store/snapshot-view.js';

/** Guards one request: the key, and the digest of what was asked under it. */
export interface Idempotency {
  key: string;
  digest: Buffer;
}

/** A unique value that somebody else holds. */
export type Conflict = 'code' | 'external-id' | 'idempotency';

export interface Insertion {
  /** Set when it is committed: what follows it is made. */
  delivered?: Promise<void>;
  link: Link;
  row: OutboxRow;
  idempotency?: Idempotency | undefined;
}

export interface Change {
  before: Link;
  after: Link;
  /** Present when the redirect can see the change. */
  version?: LinkVersion | undefined;
  row: OutboxRow;
  idempotency?: Idempotency | undefined;
}

const GROUP_MAX = 64;
const STALLED_MS = 250;
const LANES = 8;
const DELIVERY_WAIT_MS = 50;
const COUNT_TIMEOUT_MS = 1_000;

export class LinkStore {
  readonly claims: Claims;
  readonly #mongo: Mongo;
  readonly #outbox: Outbox;
  readonly #links: Collection<LinkDocument>;
  readonly #versions: Collection<VersionDocument>;
  readonly #inserts: CommitGroup<Insertion>;

  constructor(mongo: Mongo, outbox: Outbox) {
    this.#mongo = mongo;
    this.#outbox = outbox;
    this.claims = new Claims(mongo.db);
    this.#links = mongo.db.collection('links');
    this.#versions = mongo.db.collection('link_versions');
    this.#inserts = new CommitGroup({
      commit: (items, alone) => this.#commitInserts(items, alone),
      rolledBack: wasRolledBack,
      maxSize: GROUP_MAX,
      stalledMs: STALLED_MS,
      maxLanes: LANES,
      maxWaiting: LANES * GROUP_MAX,
    });
  }

  async ensureIndexes(): Promise<void> {
    await this.#links.createIndexes([
      // Begins with the shard key, as every unique index must (M-7).
      { key: { bucket: 1, groupId: 1, shortCode: 1 }, unique: true },
      { key: { tenantId: 1, _id: -1 } },
      { key: { tenantId: 1, updatedAt: -1, _id: -1 } },
      { key: { changedAt: 1 } },
      { key: { 'risk.verdict': 1, _id: 1 }, partialFilterExpression: { 'risk.verdict': 'PENDING' } },
    ]);
    await this.#versions.createIndex({ bucket: 1, linkId: 1, version: -1 }, { unique: true });
    await this.claims.ensureIndexes();
    await this.#outbox.ensureIndexes();
    await createSnapshotView(this.#mongo.db);
  }

  /** Stores a link with its event, together with whoever else is storing one now. */
  async insert(insertion: Insertion): Promise<Conflict | undefined> {
    try {
      await this.#inserts.add(insertion);
      await briefly(insertion.delivered);
      return undefined;
    } catch (error) {
      return conflictOf(error);
    }
  }

  async #commitInserts(items: readonly Insertion[], alone: boolean): Promise<void> {
    const claims = items.flatMap(({ link, idempotency }) => claimsFor(link, idempotency));
    const rows = items.map((item) => item.row);
    const work = async (session: ClientSession): Promise<void> => {
      await this.claims.insert(claims, session);
      await this.#links.insertMany(
        items.map(({ link }) => linkDocument(link)),
        { session },
      );
      await this.#outbox.insert(rows, session);
    };
    await this.#mongo.transaction(work, { retry: alone });
    const delivered = this.#outbox.deliverSoon(rows);
    for (const item of items) item.delivered = delivered;
  }

  /**
   * Replaces a link by its changed form, with its version and its event, provided that it still is as `before`: 'stale'
   * when it isn't, and nothing is written.
   */
  async update({ before, after, version, row, idempotency }: Change): Promise<Conflict | 'stale' | undefined> {
    try {
      await this.#mongo.transaction(async (session) => {
        await this.claims.insert(idempotencyClaims(after, idempotency), session);
        if (before.externalId !== after.externalId) await this.#moveExternalId(before, after, session);
        await this.#replace(before, after, session);
        if (version) await this.#insertVersion(after, version, session);
        await this.#outbox.insert([row], session);
      });
    } catch (error) {
      if (error instanceof StaleRead) return 'stale';
      return conflictOf(error);
    }
    await briefly(this.#outbox.deliverSoon([row]));
    return undefined;
  }

  async #replace(before: Link, after: Link, session: ClientSession): Promise<void> {
    const { _id, bucket, changedAt, ...set } = linkDocument(after);
    const cleared = OPTIONAL.filter((name) => set[name] === undefined);
    const { matchedCount } = await this.#links.updateOne(
      // `rev` too: a verdict that came meanwhile must not be overwritten by what was read before it.
      { bucket, _id, tenantId: { $eq: before.tenantId }, version: before.version, rev: before.rev },
      {
        $set: set,
        ...(cleared.length > 0 ? { $unset: Object.fromEntries(cleared.map((name) => [name, ''])) } : {}),
        ...(after.rev === before.rev ? {} : { $currentDate: { changedAt: true } }),
      },
      { session },
    );
    if (matchedCount !== 1) throw new StaleRead();
  }

  async #insertVersion(link: Link, version: LinkVersion, session: ClientSession): Promise<void> {
    const { state, previous = state, ...rest } = version;
    const bucket = bucketOfId(link.id);
    await this.#versions.insertOne({ bucket, linkId: Long.fromBigInt(link.id), state, previous, ...rest }, { session });
  }

  async #moveExternalId(before: Link, after: Link, session: ClientSession): Promise<void> {
    if (before.externalId) await this.claims.remove(externalIdClaim(before.tenantId, before.externalId), session);
    await this.claims.insert(externalIdClaims(after), session);
  }

  /** Uses an idempotency key without any other write. A key that is used already stays as it is. */
  async claim(link: Link, idempotency: Idempotency): Promise<void> {
    const claims = idempotencyClaims({ ...link, updatedAt: new Date() }, idempotency);
    await this.#mongo.transaction((session) => this.claims.insert(claims, session)).catch(conflictOf);
  }

  /** The link that holds an external id. */
  async linkByExternalId(tenantId: string, externalId: string): Promise<Link | undefined> {
    const claim = await this.claims.find(externalIdClaim(tenantId, externalId));
    return claim ? (await this.links(tenantId, [claim.linkId.toBigInt()]))[0] : undefined;
  }

  async links(tenantId: string, ids: readonly bigint[]): Promise<Link[]> {
    const found = this.#links.find({ ...linksById(ids), tenantId: { $eq: tenantId } });
    return (await found.toArray()).map(linkOf);
  }

  async linkByCode(tenantId: string, groupId: string, shortCode: string): Promise<Link | undefined> {
    const bucket = bucketOf(groupId, shortCode);
    const key = { bucket, groupId: { $eq: groupId }, shortCode: { $eq: shortCode }, tenantId: { $eq: tenantId } };
    const found = await this.#links.findOne(key);
    return found ? linkOf(found) : undefined;
  }

  /** One more than asked for, when there is more. */
  async page(tenantId: string, page: Page): Promise<Link[]> {
    const filter: Filter<LinkDocument> = { tenantId: { $eq: tenantId }, ...pageFilter(page) };
    const found = this.#links
      .find(filter)
      .sort(pageSort(page.order))
      .limit(page.first + 1);
    return (await found.toArray()).map(linkOf);
  }

  /** Links whose target has not been judged, oldest first, of all tenants. */
  async unjudged(limit: number): Promise<Link[]> {
    const found = this.#links.find({ 'risk.verdict': 'PENDING' }).sort({ 'risk.verdict': 1, _id: 1 }).limit(limit);
    return (await found.toArray()).map(linkOf);
  }

  count(tenantId: string): Promise<number> {
    return this.#links.countDocuments({ tenantId: { $eq: tenantId } }, { maxTimeMS: COUNT_TIMEOUT_MS });
  }

  /** Newest first; only those that change what the redirect sees, and never the first (it is in the link). */
  async versions(linkId: bigint, before: number, limit: number): Promise<LinkVersion[]> {
    const filter = { bucket: bucketOfId(linkId), linkId: Long.fromBigInt(linkId), version: { $lt: before } };
    return (await this.#versions.find(filter).sort({ version: -1 }).limit(limit).toArray()).map(versionOf);
  }

  async oldestVersion(linkId: bigint): Promise<LinkVersion | undefined> {
    const filter = { bucket: bucketOfId(linkId), linkId: Long.fromBigInt(linkId) };
    const found = await this.#versions.findOne(filter, { sort: { version: 1 } });
    return found ? versionOf(found) : undefined;
  }
}

/**
 * So that who has the answer finds the change made: the pods have usually heard of it by then. No longer, since a cache
 * or a stream that is away must not slow writes down.
 */
async function briefly(delivered: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DELIVERY_WAIT_MS);
  });
  await Promise.race([delivered, enough]);
  clearTimeout(timer);
}

/** The link is not what the caller's decision was based on. */
class StaleRead extends Error {}

const OPTIONAL = ['title', 'note', 'externalId', 'effectiveAt', 'expiresAt'] as const;

function claimsFor(link: Link, idempotency: Idempotency | undefined): Claim[] {
  return [...idempotencyClaims(link, idempotency), ...externalIdClaims(link)];
}

function idempotencyClaims(link: Link, idempotency: Idempotency | undefined): Claim[] {
  if (!idempotency) return [];
  const _id = idempotencyClaim(link.tenantId, idempotency.key);
  const linkId = Long.fromBigInt(link.id);
  return [{ _id, linkId, digest: new Binary(idempotency.digest), expiresAt: idempotencyEnds(link.updatedAt) }];
}

function externalIdClaims({ tenantId, externalId, id }: Link): Claim[] {
  return externalId ? [{ _id: externalIdClaim(tenantId, externalId), linkId: Long.fromBigInt(id) }] : [];
}

/** @throws what is not a conflict of unique values */
function conflictOf(error: unknown): Conflict {
  const duplicate = duplicateKey(error);
  if (!duplicate) throw error;
  if (duplicate.index.startsWith('bucket_')) return 'code';
  return duplicate.value.startsWith('ext:') ? 'external-id' : 'idempotency';
}
