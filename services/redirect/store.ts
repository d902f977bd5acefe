import type { Binary, Collection, Document, ReadPreferenceMode } from 'mongodb';
import type { HostEntry } from '../../model/host.js';
import { bucketOf, formatLinkId } from '../../model/link-id.js';
import type { RiskVerdict } from '../../model/link-status.js';
import type { LinkSnapshot, RedirectType } from '../../model/snapshot.js';
import type { Mongo } from '../../runtime/mongo.js';
import { duplicateKey } from '../../runtime/mongo-fault.js';

/** A row of the view `snapshots` (decisions 1), which the link service owns; 64-bit numbers as bigint. */
interface SnapshotRow {
  _id: bigint;
  tenantId: string;
  rev: number | bigint;
  version: number | bigint;
  targetUrl: string;
  redirectType: RedirectType;
  risk: RiskVerdict;
  disabled: boolean;
  effectiveAt?: Date | null;
  expiresAt?: Date | null;
}

interface SaltRow {
  /** The UTC day, YYYY-MM-DD. */
  _id: string;
  secret: Binary;
  expiresAt: Date;
}

export interface ChangedLink {
  groupId: string;
  shortCode: string;
  rev: number;
  /** Milliseconds since the change, by the database's clock. */
  age: number;
}

export interface ReadOptions {
  maxTimeMS: number;
  /** Ends a read that MongoDB does not answer, and gives its connection back. */
  signal: AbortSignal;
  readPreference?: ReadPreferenceMode;
}

/** What the data plane has of MongoDB: it reads one view and one collection, and writes nothing but visitors' salts. */
export class RedirectStore {
  readonly #snapshots: Collection<Document>;
  readonly #hosts: Collection<Omit<HostEntry, 'hostname'> & { _id: string }>;
  readonly #salts: Collection<SaltRow>;

  constructor({ db }: Mongo) {
    this.#snapshots = db.collection('snapshots');
    this.#hosts = db.collection('hosts');
    this.#salts = db.collection('salts');
  }

  async link(groupId: string, shortCode: string, options: ReadOptions): Promise<LinkSnapshot | undefined> {
    const row = await this.#snapshots.findOne<SnapshotRow>(
      { bucket: bucketOf(groupId, shortCode), groupId: { $eq: groupId }, shortCode: { $eq: shortCode } },
      // Ids are larger than a double holds exactly.
      { ...options, useBigInt64: true },
    );
    return row ? snapshotOf(row) : undefined;
  }

  /** The links that changed in the last `ms` milliseconds by the database's clock; ours may differ from it. */
  changedLinks(ms: number, options: ReadOptions): AsyncIterable<ChangedLink> {
    const since = { $expr: { $gt: ['$changedAt', { $subtract: ['$$NOW', Math.ceil(ms)] }] } };
    const age = { $subtract: ['$$NOW', '$changedAt'] };
    return this.#snapshots.find<ChangedLink>(since, {
      ...options,
      projection: { _id: 0, groupId: 1, shortCode: 1, rev: 1, age },
    });
  }

  async hosts(options: ReadOptions): Promise<HostEntry[]> {
    const rows = await this.#hosts.find({}, { ...options, sort: { _id: 1 } }).toArray();
    return rows.map(({ _id: hostname, domainId, tenantId, groupId, codeCase, rev }) => ({
      hostname,
      domainId,
      tenantId,
      groupId,
      codeCase,
      rev,
    }));
  }

  /** The secret of a day: the one that is there, or else `fresh`. */
  async salt(day: string, fresh: { secret: Buffer; expiresAt: Date }): Promise<Buffer> {
    const row = await this.#upsertSalt(day, fresh).catch((error: unknown) => {
      // Two made it at the same time: now it is there.
      if (!duplicateKey(error)) throw error;
      return this.#upsertSalt(day, fresh);
    });
    if (!row) throw new Error('the upsert answered nothing');
    return Buffer.from(row.secret.buffer);
  }

  #upsertSalt(day: string, fresh: { secret: Buffer; expiresAt: Date }): Promise<SaltRow | null> {
    const update = { $setOnInsert: fresh as unknown as Omit<SaltRow, '_id'> };
    return this.#salts.findOneAndUpdate({ _id: { $eq: day } }, update, { upsert: true, returnDocument: 'after' });
  }

  async expireSalts(): Promise<void> {
    await this.#salts.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  }
}

function snapshotOf(row: SnapshotRow): LinkSnapshot {
  const { _id, tenantId, rev, version, targetUrl, redirectType, risk, disabled, effectiveAt, expiresAt } = row;
  return {
    linkId: formatLinkId(BigInt(_id)),
    tenantId,
    rev: Number(rev),
    version: Number(version),
    targetUrl,
    redirectType,
    risk,
    disabled,
    effectiveAt: effectiveAt?.getTime(),
    expiresAt: expiresAt?.getTime(),
  };
}
