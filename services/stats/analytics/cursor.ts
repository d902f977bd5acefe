import { AppError } from '../../../runtime/app-error.js';
import type { RowOrder } from './question.js';

/** Where a row stands in its breakdown. */
export interface Position {
  key: string;
  clicks: number;
}

export function writeCursor(order: RowOrder, { key, clicks }: Position): string {
  return Buffer.from(JSON.stringify([order, clicks, key])).toString('base64url');
}

/** @throws AppError INVALID_ARGUMENT for what is no cursor of this order */
export function readCursor(order: RowOrder, cursor: string): Position {
  try {
    const [of, clicks, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (of === order && typeof key === 'string' && Number.isSafeInteger(clicks)) {
      return { key, clicks: clicks as number };
    }
  } catch {
    // Whatever it is, it is none of ours.
  }
  const message = 'after is not a cursor of this breakdown in this order.';
  throw new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path: ['after'] });
}
