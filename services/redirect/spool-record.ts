import { crc32 } from 'node:zlib';
import type { SealedBatch } from './click-batch.js';

/** Length and CRC-32 of what follows: partition, count, id (26 characters), body. */
const FRAME_BYTES = 8;
const ID_BYTES = 26;
const HEAD_BYTES = 1 + 2 + ID_BYTES;

export function encodeRecord({ id, partition, count, body }: SealedBatch): Buffer {
  const record = Buffer.alloc(FRAME_BYTES + HEAD_BYTES + body.length);
  record.writeUInt32BE(HEAD_BYTES + body.length, 0);
  record.writeUInt8(partition, FRAME_BYTES);
  record.writeUInt16BE(count, FRAME_BYTES + 1);
  record.write(id, FRAME_BYTES + 3, 'latin1');
  record.set(body, FRAME_BYTES + HEAD_BYTES);
  record.writeUInt32BE(crc32(record.subarray(FRAME_BYTES)), 4);
  return record;
}

/** What a file holds whole. A record that is damaged is passed over; one that a kill cut off ends it. */
export function decodeRecords(file: Buffer): { batches: SealedBatch[]; badBytes: number } {
  const batches: SealedBatch[] = [];
  let badBytes = 0;
  let at = 0;
  while (at + FRAME_BYTES + HEAD_BYTES <= file.length) {
    const end = at + FRAME_BYTES + file.readUInt32BE(at);
    if (end > file.length || end < at + FRAME_BYTES + HEAD_BYTES) break;
    const content = file.subarray(at + FRAME_BYTES, end);
    if (crc32(content) === file.readUInt32BE(at + 4)) batches.push(decodeContent(content));
    else badBytes += end - at;
    at = end;
  }
  return { batches, badBytes: badBytes + file.length - at };
}

function decodeContent(content: Buffer): SealedBatch {
  return {
    id: content.toString('latin1', 3, HEAD_BYTES),
    partition: content.readUInt8(0),
    count: content.readUInt16BE(1),
    body: content.subarray(HEAD_BYTES),
  };
}
