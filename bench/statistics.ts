/** Of an even count the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[half] as number;
  return ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2;
}

/** The value that so large a share of the values does not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The median of what two rows had of each other in the same round: what disturbs a round disturbs both. */
export function sameRoundRatio(values: readonly number[], reference: readonly number[]): number {
  return median(perRound(values, reference, (value, other) => value / other));
}

export function sameRoundDifference(values: readonly number[], reference: readonly number[]): number[] {
  return perRound(values, reference, (value, other) => value - other);
}

function perRound(a: readonly number[], b: readonly number[], of: (a: number, b: number) => number): number[] {
  if (a.length !== b.length) throw new Error(`rows of ${a.length} and ${b.length} rounds have no rounds in common`);
  return a.map((value, round) => of(value, b[round] as number));
}

/** `median (least to most)` */
export function spread(values: readonly number[], digits = 0): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
