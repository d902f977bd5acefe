/**
 * The bare name of a generated string enum's value (`RISK_VERDICT_ALLOW` → `ALLOW`): the domain and GraphQL speak
 * bare names, the wire speaks prefixed ones. Undefined for a value that this build does not know.
 */
export function enumName<E extends Record<string, string>>(
  enumeration: E,
  value: string | undefined,
): Exclude<keyof E, 'UNSPECIFIED' | 'UNRECOGNIZED'> | undefined {
  for (const name in enumeration) {
    if (enumeration[name] === value && name !== 'UNSPECIFIED' && name !== 'UNRECOGNIZED') {
      return name as unknown as Exclude<keyof E, 'UNSPECIFIED' | 'UNRECOGNIZED'>;
    }
  }
  return undefined;
}
