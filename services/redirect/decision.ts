import { linkStatus } from '../../model/link-status.js';
import { isRedirectType, type LinkSnapshot, type RedirectType } from '../../model/snapshot.js';
import { redirectHeaders } from './redirect-headers.js';

/** What to answer, as a value: the transport alone turns it into bytes. */
export type Decision =
  | Redirect
  | { readonly kind: 'warn'; readonly targetUrl: string }
  | { readonly kind: 'not-found' | 'gone' | 'blocked' | 'unavailable' };

export interface Redirect {
  readonly kind: 'redirect';
  readonly status: RedirectType;
  readonly headers: readonly string[];
}

/** What a pod holds of one code: immutable, made once for each snapshot. */
export interface Held {
  /** 0 when there is no such link. */
  readonly rev: number;
  readonly snapshot: LinkSnapshot | undefined;
  /** The answer while the link is ACTIVE. */
  readonly whenActive: Decision;
}

const NOT_FOUND: Decision = Object.freeze({ kind: 'not-found' });
const GONE: Decision = Object.freeze({ kind: 'gone' });
const BLOCKED: Decision = Object.freeze({ kind: 'blocked' });

export const NO_LINK: Held = Object.freeze({ rev: 0, snapshot: undefined, whenActive: NOT_FOUND });

export function hold(snapshot: LinkSnapshot): Held {
  return Object.freeze({ rev: snapshot.rev, snapshot, whenActive: whenActive(snapshot) });
}

/**
 * The answer at `now` (milliseconds since 1970). One status decides, by the precedence of decisions 15, which puts the
 * risk first where R-3 puts it last: a blocked link says so although it is disabled as well.
 */
export function decide({ snapshot, whenActive }: Held, now: number): Decision {
  if (!snapshot) return NOT_FOUND;
  switch (linkStatus(snapshot, now)) {
    case 'ACTIVE':
      return whenActive;
    case 'BLOCKED':
      return BLOCKED;
    case 'EXPIRED':
      return GONE;
    case 'DISABLED':
    case 'SCHEDULED':
    case 'PENDING_REVIEW':
      return NOT_FOUND;
  }
}

function whenActive({ risk, targetUrl, redirectType }: LinkSnapshot): Decision {
  if (!isPlainTarget(targetUrl) || !isRedirectType(redirectType)) return BLOCKED;
  if (risk === 'WARN') return Object.freeze({ kind: 'warn', targetUrl });
  return Object.freeze({ kind: 'redirect', status: redirectType, headers: redirectHeaders(redirectType, targetUrl) });
}

/** The canonical form that creation stores. Nothing else gets into a header or a page, whoever wrote it to the store. */
function isPlainTarget(url: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(url);
}
