import { type Filter, Long } from 'mongodb';
import type { Order, Page } from '../page.js';
import type { LinkDocument } from './document.js';

/** What comes after a page's place in its order. */
export function pageFilter({ order, after }: Page): Filter<LinkDocument> {
  if (!after) return {};
  const id = Long.fromBigInt(after.id);
  if (order === 'CREATED_ASC') return { _id: { $gt: id } };
  if (order === 'CREATED_DESC') return { _id: { $lt: id } };
  const updatedAt = new Date(after.updatedAt ?? 0);
  return { $or: [{ updatedAt: { $lt: updatedAt } }, { updatedAt, _id: { $lt: id } }] };
}

export function pageSort(order: Order): Record<string, 1 | -1> {
  if (order === 'UPDATED_DESC') return { updatedAt: -1, _id: -1 };
  return { _id: order === 'CREATED_ASC' ? 1 : -1 };
}
