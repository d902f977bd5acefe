/** One entry of the host list: holds for the host and everything below it. */
export interface HostVerdict {
  host: string;
  verdict: 'BLOCK' | 'REVIEW' | 'WARN';
  reason: string;
}

const WORST_FIRST = ['BLOCK', 'REVIEW', 'WARN'] as const;

/**
 * Reads lines of `VERDICT host reason`; empty ones and those that begin with # are passed over.
 * @throws Error that names each bad line: half a block list must not pass for a whole one
 */
export function parseHostList(text: string): HostVerdict[] {
  const faults: string[] = [];
  const entries = text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const match = /^\s*(BLOCK|REVIEW|WARN)\s+([a-z0-9_.-]{1,253})(?:\s+(.*))?$/.exec(line);
    if (!match) faults.push(`line ${index + 1}: ${line}`);
    const [, verdict, host, reason] = match ?? [];
    return verdict && host ? [{ host, verdict: verdict as HostVerdict['verdict'], reason: reason?.trim() ?? '' }] : [];
  });
  if (faults.length > 0) throw new Error(`not "BLOCK|REVIEW|WARN host reason":\n${faults.join('\n')}`);
  return entries;
}

/** The host and its parents, nearest first, without the top-level label: what an entry may name to hold for it. */
export function listedNames(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join('.'));
}

/** The worst of the entries that hold for one host. */
export function worst(entries: readonly HostVerdict[]): HostVerdict | undefined {
  for (const verdict of WORST_FIRST) {
    const found = entries.find((entry) => entry.verdict === verdict);
    if (found) return found;
  }
  return undefined;
}
