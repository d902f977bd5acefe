import { type Db, MongoServerError } from 'mongodb';
import { formatLinkId } from '../../../model/link-id.js';
import type { LinkSnapshot } from '../../../model/snapshot.js';
import { type LinkDocument, linksById } from './document.js';

/** The view that redirect pods read: nothing of a link but what an answer needs, so that their role needs no more. */
const VIEW = 'snapshots';
const PIPELINE = [
  {
    $project: {
      bucket: 1,
      groupId: 1,
      shortCode: 1,
      tenantId: 1,
      rev: 1,
      version: 1,
      targetUrl: 1,
      redirectType: 1,
      risk: '$risk.verdict',
      disabled: 1,
      effectiveAt: 1,
      expiresAt: 1,
      changedAt: 1,
    },
  },
];

/** Makes the view, or brings an older build's up to date. */
export async function createSnapshotView(db: Db): Promise<void> {
  try {
    await db.createCollection(VIEW, { viewOn: 'links', pipeline: PIPELINE });
  } catch (error) {
    if (!(error instanceof MongoServerError && error.codeName === 'NamespaceExists')) throw error;
    await db.command({ collMod: VIEW, viewOn: 'links', pipeline: PIPELINE });
  }
}

/** What Redis should hold of these links. */
export interface KeyedSnapshot {
  groupId: string;
  shortCode: string;
  snapshot: LinkSnapshot;
}

export async function readSnapshots(db: Db, ids: readonly bigint[]): Promise<KeyedSnapshot[]> {
  const found = await db.collection<LinkDocument>('links').find(linksById(ids)).toArray();
  return found.map((link) => ({ groupId: link.groupId, shortCode: link.shortCode, snapshot: snapshotOf(link) }));
}

function snapshotOf(document: LinkDocument): LinkSnapshot {
  const { _id, tenantId, rev, version, targetUrl, redirectType, risk, disabled, effectiveAt, expiresAt } = document;
  return {
    linkId: formatLinkId(_id.toBigInt()),
    tenantId,
    rev,
    version,
    targetUrl,
    redirectType,
    risk: risk.verdict,
    disabled,
    effectiveAt: effectiveAt?.getTime(),
    expiresAt: expiresAt?.getTime(),
  };
}
