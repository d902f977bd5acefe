export type RiskVerdict = 'PENDING' | 'ALLOW' | 'REVIEW' | 'WARN' | 'BLOCK';
export type LinkStatus = 'ACTIVE' | 'SCHEDULED' | 'DISABLED' | 'PENDING_REVIEW' | 'BLOCKED' | 'EXPIRED';

/** What decides whether a link is served; times in milliseconds since 1970. */
export interface LinkState {
  risk: RiskVerdict;
  disabled: boolean;
  effectiveAt?: number | undefined;
  expiresAt?: number | undefined;
}

/** The one status that is shown, by the precedence of decisions 15. */
export function linkStatus(link: LinkState, now: number): LinkStatus {
  if (link.risk === 'BLOCK') return 'BLOCKED';
  // A verdict that this build doesn't know is not one to serve by.
  if (link.risk !== 'ALLOW' && link.risk !== 'WARN') return 'PENDING_REVIEW';
  if (link.disabled) return 'DISABLED';
  if (link.expiresAt !== undefined && now >= link.expiresAt) return 'EXPIRED';
  if (link.effectiveAt !== undefined && now < link.effectiveAt) return 'SCHEDULED';
  return 'ACTIVE';
}
