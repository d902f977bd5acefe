import type { RiskVerdict } from '../../model/link-status.js';
import type { RedirectType } from '../../model/snapshot.js';
import type { Actor } from '../../runtime/rpc-context.js';

export type MetadataValue = string | number | boolean | null;
export type Metadata = readonly (readonly [key: string, value: MetadataValue])[];

/** A judged target: the canonical form with the version of the code that made it (decisions 34). */
export interface Target {
  url: string;
  canonicaliser: number;
  risk: Risk;
}

export interface Risk {
  /** PENDING: the risk service could not be asked; it is asked again until it answers. */
  verdict: RiskVerdict;
  reasons: string[];
  flags: string[];
  at: Date;
}

/** What a caller may change. */
export interface LinkFields {
  target: Target;
  title?: string | undefined;
  note?: string | undefined;
  externalId?: string | undefined;
  tags: string[];
  metadata: Metadata;
  effectiveAt?: Date | undefined;
  expiresAt?: Date | undefined;
}

export interface Link extends LinkFields {
  id: bigint;
  tenantId: string;
  groupId: string;
  /** The domain that its short URL is shown with, fixed at creation. */
  domainId: string;
  /** As compared: in a folded group in lower case. */
  shortCode: string;
  redirectType: RedirectType;
  disabled: boolean;
  /** The caller's lock: grows with each effective change by a caller. */
  version: number;
  /** Orders snapshots: grows with all that the redirect can see (decisions 2). */
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  createdBy: Actor;
  updatedBy: Actor;
  createdFrom: RequestOrigin;
}

/** Where a request came from. */
export interface RequestOrigin {
  source: string;
  clientIp: string;
  traceId: string;
}

/** What the redirect can see of a link, as one version had it. */
export interface VersionState {
  targetUrl: string;
  risk: RiskVerdict;
  disabled: boolean;
  effectiveAt?: Date | undefined;
  expiresAt?: Date | undefined;
}

export interface LinkVersion {
  version: number;
  state: VersionState;
  /** Absent for the first. */
  previous?: VersionState;
  actor: Actor;
  from: RequestOrigin;
  reason?: string | undefined;
  createdAt: Date;
}

export function versionState(link: Link): VersionState {
  const { target, disabled, effectiveAt, expiresAt } = link;
  return { targetUrl: target.url, risk: target.risk.verdict, disabled, effectiveAt, expiresAt };
}
