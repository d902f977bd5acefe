import { AppError } from '../../runtime/app-error.js';
import type { Link } from './link.js';

export type Order = 'CREATED_DESC' | 'CREATED_ASC' | 'UPDATED_DESC';

/** A page by keyset: it goes on after a place in the order, whatever was written meanwhile. */
export interface Page {
  order: Order;
  first: number;
  after?: Place | undefined;
}

/** Ids are in the order of creation; `updatedAt` only where the order is by it. */
interface Place {
  id: bigint;
  updatedAt?: number;
}

/** @throws AppError INVALID_ARGUMENT for a size outside 1 to 100 or a cursor that is not of this order */
export function readPage(order: Order, first: number, after: string): Page {
  checkFirst(first);
  const place = after ? decodeCursor(order, after) : undefined;
  if (after && !place) throw outOfRange('after', 'after is not a cursor of this list in this order.');
  return { order, first, after: place };
}

/** @throws AppError INVALID_ARGUMENT for a size outside 1 to 100 */
export function checkFirst(first: number): void {
  if (first < 1 || first > 100) throw outOfRange('first', 'first must be 1 to 100.');
}

export function cursorOf(order: Order, link: Link): string {
  const place =
    order === 'UPDATED_DESC' ? [order, String(link.id), link.updatedAt.getTime()] : [order, String(link.id)];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function decodeCursor(order: Order, cursor: string): Place | undefined {
  try {
    const [of, id, updatedAt] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [Order, string, number?];
    if (of !== order || (order === 'UPDATED_DESC') !== Number.isSafeInteger(updatedAt)) return undefined;
    return { id: BigInt(id), ...(updatedAt === undefined ? {} : { updatedAt }) };
  } catch {
    return undefined;
  }
}

/** A value outside what the field allows. */
export function outOfRange(field: string, message: string): AppError {
  return new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path: [field] });
}

/** Below what one message may hold (runtime/rpc-options.ts), with room for what is not counted. */
const PAGE_BYTES = 800_000;

/** The first of these that fit in one message; at least one. A page may be shorter than asked for, and says that more follows. */
export function fitting<T>(items: readonly T[], bytesOf: (item: T) => number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return index > 0 && bytes > PAGE_BYTES;
  });
  return end < 0 ? [...items] : items.slice(0, end);
}

/** An upper estimate of a link's size on the wire: three bytes for each UTF-16 unit that a caller may choose. */
export function linkBytes({ target, title = '', note = '', externalId = '', tags, metadata }: Link): number {
  const free = [title, note, externalId, ...tags, ...metadata.flat().map(String)];
  return 600 + target.url.length + 3 * free.reduce((sum, text) => sum + text.length, 0);
}
