/** A registered host as the redirect sees it: MongoDB's `hosts`, the pod's memory and its disk file hold this. */
export interface HostEntry {
  /** A-label, lower case, without port and trailing dot. */
  hostname: string;
  domainId: string;
  tenantId: string;
  groupId: string;
  codeCase: 'SENSITIVE' | 'FOLDED';
  /** Grows with each change of the entry. */
  rev: number;
}

/**
 * The registered form of a Host header's value, or undefined when it can't be a host of ours: user info, a path, an
 * empty label, non-ASCII (browsers send A-labels). Never goes through a URL parser, which would repair too much.
 */
export function hostFromHeader(value: string): string | undefined {
  const match = /^([A-Za-z0-9_.-]{1,254}?)\.?(?::\d{1,5})?$/.exec(value);
  const host = match?.[1]?.toLowerCase();
  return host && !host.startsWith('.') && !host.includes('..') ? host : undefined;
}
