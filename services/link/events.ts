import { formatLinkId } from '../../model/link-id.js';
import { withoutQuery } from '../../runtime/log.js';
import { type AuditEntry, type Effect, type OutboxRow, outboxRow } from '../../runtime/outbox.js';
import type { Actor, CallerContext } from '../../runtime/rpc-context.js';
import type { Link, RequestOrigin } from './link.js';

export type LinkEvent = 'link.created' | 'link.updated' | 'link.disabled' | 'link.enabled' | 'link.risk_changed';

/** Who made a change, from where, and why. */
export interface Origin {
  actor: Actor;
  from: RequestOrigin;
  reason?: string | undefined;
}

export function originOf({ actor, source, clientIp, traceId }: CallerContext, reason = ''): Origin {
  return { actor, from: { source, clientIp, traceId }, reason: reason || undefined };
}

/** The outbox row of a change. `before` is absent for a new link. */
export function linkEvent(
  type: LinkEvent,
  before: Link | undefined,
  after: Link,
  { actor, from, reason }: Origin,
  effects: readonly Effect[],
): OutboxRow {
  const id = formatLinkId(after.id);
  // What the redirect can't see need not be dropped from any cache.
  const visible = before?.rev !== after.rev;
  const invalidation = visible ? [`inv.link.${after.groupId}.${after.shortCode}`] : [];
  const due = visible ? effects : effects.filter((effect) => effect.name === 'event');
  const { source, clientIp, traceId } = from;
  const audit: AuditEntry = { action: type, object: id, reason, source, clientIp, ...difference(before, after) };
  const subjects = [...invalidation, `evt.${after.tenantId}.${type}`];
  return outboxRow(
    { type, tenantId: after.tenantId, objectId: id, rev: after.rev, actor, traceId, subjects, audit },
    due,
  );
}

/** The fields that differ, as they were and as they are. */
function difference(before: Link | undefined, after: Link): Pick<AuditEntry, 'before' | 'after'> {
  const now = audited(after);
  if (!before) return { after: now };
  const then = audited(before);
  const names = Object.keys(now).filter((name) => JSON.stringify(then[name]) !== JSON.stringify(now[name]));
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return { before: pick(then), after: pick(now) };
}

/** Metadata by its keys alone, the target without its query: both may hold what nobody should read in a log (T-8). */
function audited(link: Link): Record<string, unknown> {
  const { target, title, note, externalId, tags, metadata, effectiveAt, expiresAt, disabled, shortCode, groupId } =
    link;
  return {
    targetUrl: withoutQuery(target.url),
    risk: target.risk.verdict,
    title,
    note,
    externalId,
    tags,
    metadata: metadata.map(([key]) => key),
    effectiveAt,
    expiresAt,
    disabled,
    shortCode,
    groupId,
    redirectType: link.redirectType,
  };
}
