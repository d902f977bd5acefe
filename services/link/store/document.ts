import { createHash } from 'node:crypto';
import { Binary, type Filter, Long } from 'mongodb';
import { bucketOf, bucketOfId } from '../../../model/link-id.js';
import type { Actor } from '../../../runtime/rpc-context.js';
import type { Link, LinkVersion, MetadataValue, Risk, VersionState } from '../link.js';

/** A link as it is stored. `_id` and `bucket` say the same shard; every hot query names both (M-1). */
export interface LinkDocument {
  _id: Long;
  bucket: number;
  tenantId: string;
  groupId: string;
  domainId: string;
  shortCode: string;
  targetUrl: string;
  /** SHA-256 of the whole canonical form (S-1). */
  targetHash: Binary;
  canonicaliser: number;
  risk: Risk;
  redirectType: Link['redirectType'];
  disabled: boolean;
  title?: string | undefined;
  note?: string | undefined;
  externalId?: string | undefined;
  tags: string[];
  /** Pairs, so that no key of a caller is ever a field name. */
  metadata: { k: string; v: MetadataValue }[];
  effectiveAt?: Date | undefined;
  expiresAt?: Date | undefined;
  version: number;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  createdBy: Actor;
  updatedBy: Actor;
  createdFrom: Link['createdFrom'];
  /** When the redirect last had something new to see, by the database's clock for changes. */
  changedAt: Date;
}

export interface VersionDocument extends Omit<LinkVersion, 'state' | 'previous'> {
  bucket: number;
  linkId: Long;
  state: VersionState;
  previous: VersionState;
}

/** Ids name their bucket: a look-up by id goes to one shard, too. */
export function linksById(ids: readonly bigint[]): Filter<LinkDocument> {
  const buckets = [...new Set(ids.map(bucketOfId))];
  return { bucket: { $in: buckets }, _id: { $in: ids.map((id) => Long.fromBigInt(id)) } };
}

export function linkDocument(link: Link): LinkDocument {
  const { id, target, metadata, ...rest } = link;
  return {
    _id: Long.fromBigInt(id),
    bucket: bucketOf(link.groupId, link.shortCode),
    ...rest,
    ...targetDocument(target),
    metadata: metadata.map(([k, v]) => ({ k, v })),
    changedAt: link.updatedAt,
  };
}

function targetDocument({ url, canonicaliser, risk }: Link['target']) {
  const targetHash = new Binary(createHash('sha256').update(url).digest());
  return { targetUrl: url, targetHash, canonicaliser, risk };
}

export function linkOf(document: LinkDocument): Link {
  const { _id, bucket, targetUrl, targetHash, canonicaliser, risk, metadata, changedAt, ...rest } = document;
  return {
    ...rest,
    id: _id.toBigInt(),
    target: { url: targetUrl, canonicaliser, risk },
    metadata: metadata.map(({ k, v }) => [k, v] as const),
  };
}

export function versionOf(document: VersionDocument): LinkVersion {
  const { version, state, previous, actor, from, reason, createdAt } = document;
  return { version, state, previous, actor, from, reason, createdAt };
}
