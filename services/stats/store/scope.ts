import type { Document } from 'mongodb';
import type { TimeSpan } from '../../../model/time-span.js';
import { CLICK_PARTITIONS } from '../../../runtime/streams.js';
import { partitionKey } from './rollup.js';

/** Whose clicks: those of some links, or of the whole tenant. */
export interface Scope {
  tenantId: string;
  /** Undefined: all, deleted ones too. */
  linkIds: readonly string[] | undefined;
}

/** Roll-ups whose hours begin in the span: a range of keys for each link, since an embedded key is compared field by field. */
export function rollupFilter({ tenantId: te, linkIds }: Scope, { from, to }: TimeSpan): Document {
  const ranges = (linkIds ?? tenantKeys()).map((l) => ({
    _id: { $gte: { te, l, h: new Date(from) }, $lt: { te, l, h: new Date(to) } },
  }));
  return ranges.length === 1 ? ranges[0]! : { $or: ranges };
}

/** The same for all links of the tenant, one by one. Ids begin with a letter, the tenant's own keys with a hyphen. */
export function linkRollupFilter(scope: Scope, span: TimeSpan): Document {
  if (scope.linkIds) return rollupFilter(scope, span);
  const { tenantId: te } = scope;
  return {
    _id: { $gte: { te, l: '0' }, $lt: { te, l: '~' } },
    '_id.h': { $gte: new Date(span.from), $lt: new Date(span.to) },
  };
}

/** Raw clicks of the span. */
export function rawFilter({ tenantId: te, linkIds }: Scope, { from, to }: TimeSpan): Document {
  const t = { $gte: new Date(from), $lt: new Date(to) };
  if (!linkIds) return { te, t };
  return { te, l: linkIds.length === 1 ? linkIds[0] : { $in: [...linkIds] }, t };
}

function tenantKeys(): string[] {
  return Array.from({ length: CLICK_PARTITIONS }, (_, partition) => partitionKey(partition));
}
