import { enumName } from '../runtime/proto-enum.js';

/**
 * The bare name of a service's enum value.
 * @throws Error for a value that this build does not know: the service is newer than the gateway
 */
export function knownName<E extends Record<string, string>>(enumeration: E, value: string | undefined) {
  const name = enumName(enumeration, value);
  if (name === undefined) throw new Error(`enum value ${value} is unknown`);
  return name;
}
