import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { ClickBatch } from '../../gen/proto/waypost/click/v1/click.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import { ulid } from '../../runtime/ulid.js';
import type { DropReport } from './drop-ledger.js';

/** Field 1, length-delimited. */
const CLICKS_TAG = 10;

/** Clicks that are published together. Nothing of it changes over all tries, so that the stream knows it again. */
export interface SealedBatch {
  /** ULID, the message id. */
  id: string;
  partition: number;
  /** Clicks in it; none in one that only tells of drops. */
  count: number;
  /** A ClickBatch. */
  body: Uint8Array;
}

/** @param clicks encoded, each alone: one that can't be encoded must not take others with it */
export function sealBatch(partition: number, clicks: Uint8Array[], { pod, drops }: DropReport): SealedBatch {
  const writer = new BinaryWriter();
  for (const click of clicks) writer.uint32(CLICKS_TAG).bytes(click);
  const rest = { clicks: [], droppedBots: 0, droppedOthers: 0, pod, drops };
  return { id: ulid(), partition, count: clicks.length, body: ClickBatch.encode(rest, writer).finish() };
}

/** All clicks of a tenant are of one partition (FNV-1a). */
export function partitionOf(tenantId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < tenantId.length; i++) hash = Math.imul(hash ^ tenantId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % CLICK_PARTITIONS;
}
