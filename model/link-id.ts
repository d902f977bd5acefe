import { createHash } from 'node:crypto';

/** Decisions 3: 41 bits of milliseconds since 2024, 10 of bucket, 7 of worker, 5 of sequence. */
export const ID_EPOCH_MS = Date.UTC(2024, 0, 1);
export const BUCKETS = 1_024;
export const WORKERS = 128;
export const SEQUENCES = 32;

const PREFIX = 'lnk_';
const DIGITS = 13;
/** Crockford's Base32: no I, L, O, U. Its order is that of ASCII, so ids sort as their numbers do. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The shard of a link: the first 10 bits of SHA-256(groupId ‖ 0 ‖ code as compared). */
export function bucketOf(groupId: string, comparedCode: string): number {
  const digest = createHash('sha256').update(groupId).update('\0').update(comparedCode).digest();
  return digest.readUInt16BE(0) >> 6;
}

export function composeLinkId(parts: { ms: number; bucket: number; worker: number; sequence: number }): bigint {
  const time = BigInt(parts.ms - ID_EPOCH_MS);
  return (time << 22n) | (BigInt(parts.bucket) << 12n) | (BigInt(parts.worker) << 5n) | BigInt(parts.sequence);
}

export function bucketOfId(id: bigint): number {
  return Number((id >> 12n) & 0x3ffn);
}

export function formatLinkId(id: bigint): string {
  let text = '';
  for (let rest = id, i = 0; i < DIGITS; i++, rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return PREFIX + text;
}

/** Undefined for what no link can have. Only the exact form is an id: no lower case, no look-alikes. */
export function parseLinkId(text: string): bigint | undefined {
  if (!/^lnk_[0-7][0-9A-HJKMNP-TV-Z]{12}$/.test(text)) return undefined;
  let id = 0n;
  for (const character of text.slice(PREFIX.length)) id = (id << 5n) | BigInt(CROCKFORD.indexOf(character));
  return id;
}
