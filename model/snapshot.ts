import type { LinkState, RiskVerdict } from './link-status.js';

/** All that an answer needs to know of one link; immutable, ordered by `rev` (decisions 2). */
export interface LinkSnapshot extends LinkState {
  linkId: string;
  tenantId: string;
  rev: number;
  /** The caller's version whose target this is: statistics are split by it. */
  version: number;
  targetUrl: string;
  redirectType: RedirectType;
}

export type RedirectType = 301 | 302 | 307 | 308;

export function isRedirectType(value: number): value is RedirectType {
  return value === 301 || value === 302 || value === 307 || value === 308;
}

/** 301 and 308 are stored by browsers: the target of such a link never changes. */
export function isPermanent(type: RedirectType): boolean {
  return type === 301 || type === 308;
}

/** The key in Redis, written literally: no shared hash tag (decisions 25). */
export function snapshotKey(groupId: string, comparedCode: string): string {
  return `sl:${groupId}:${comparedCode}`;
}

/** Stands for "there is no such link", as revision 0: any real snapshot is newer. */
export const NO_LINK_BODY = '-';

/** The body in Redis; its revision stands before it in the value. */
export function encodeSnapshot(snapshot: LinkSnapshot): string {
  const { linkId, tenantId, targetUrl, redirectType, risk, disabled, effectiveAt, expiresAt, version } = snapshot;
  return JSON.stringify([
    linkId,
    tenantId,
    targetUrl,
    redirectType,
    risk,
    disabled ? 1 : 0,
    effectiveAt,
    expiresAt,
    version,
  ]);
}

/** Undefined for a body that this build can't read: it counts as a miss. */
export function decodeSnapshot(rev: number, body: string): LinkSnapshot | undefined {
  try {
    const [linkId, tenantId, targetUrl, redirectType, risk, disabled, effectiveAt, expiresAt, version] = JSON.parse(
      body,
    ) as [string, string, string, RedirectType, RiskVerdict, 0 | 1, number | null, number | null, number];
    return {
      linkId,
      tenantId,
      rev,
      version,
      targetUrl,
      redirectType,
      risk,
      disabled: disabled === 1,
      effectiveAt: effectiveAt ?? undefined,
      expiresAt: expiresAt ?? undefined,
    };
  } catch {
    return undefined;
  }
}

const LIFE_MS = 3_600_000;
const LIFE_AFTER_EXPIRY_MS = 60_000;

/** How long a snapshot may stay in Redis (K-1): about an hour, spread so that not all end at once, not past its expiry. */
export function snapshotLifeMs(snapshot: LinkSnapshot, now: number, random = Math.random()): number {
  const life = LIFE_MS * (1 + 0.2 * random);
  if (snapshot.expiresAt === undefined) return Math.round(life);
  return Math.round(Math.max(LIFE_AFTER_EXPIRY_MS, Math.min(life, snapshot.expiresAt - now)));
}
