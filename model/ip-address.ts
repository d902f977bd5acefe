import { type AddressReason, EMBEDDED_IPV4, IPV4_RANGES, IPV6_RANGES } from './ip-ranges.js';

/** What an address is to a link target or to our fetcher: somewhere on the internet, or why not. */
export type AddressClass = 'public' | AddressReason;

interface Prefix {
  bytes: Uint8Array;
  bits: number;
}

const IPV4 = IPV4_RANGES.map(([cidr, reason]) => ({ prefix: parsePrefix(cidr), reason }));
const IPV6 = IPV6_RANGES.map(([cidr, reason]) => ({ prefix: parsePrefix(cidr), reason }));
const EMBEDDED = EMBEDDED_IPV4.map(([cidr, offset]) => ({ prefix: parsePrefix(cidr), offset }));

/**
 * Reads a literal into 4 or 16 bytes in network order: plain dotted decimal, or RFC 4291 text with or without brackets.
 * Anything else is undefined, a zone index (`%eth0`) and the old octal, hexadecimal and short IPv4 notations included:
 * the URL parser has already turned those into plain ones, and a resolver never answers with them.
 */
export function parseAddress(text: string): Uint8Array | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  return parseIpv6(text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text);
}

/** Classifies the address of 4 or 16 bytes; an address inside another decides when it isn't public (V12, V13). */
export function classifyAddress(bytes: Uint8Array): AddressClass {
  if (bytes.length === 4) return IPV4.find(({ prefix }) => matches(bytes, prefix))?.reason ?? 'public';
  // No such address exists: a guard that is asked about one must not let it through.
  if (bytes.length !== 16) return 'ip_reserved';
  return classifyIpv6(bytes);
}

function classifyIpv6(bytes: Uint8Array): AddressClass {
  // :: and ::1 also look like IPv4-compatible addresses.
  if (bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15]! <= 1) {
    return bytes[15] === 0 ? 'ip_unspecified' : 'ip_loopback';
  }
  const carrier = EMBEDDED.find(({ prefix }) => matches(bytes, prefix));
  const outer = carrier
    ? classifyAddress(bytes.subarray(carrier.offset, carrier.offset + 4))
    : (IPV6.find(({ prefix }) => matches(bytes, prefix))?.reason ?? 'public');
  return outer === 'public' && isIsatap(bytes) ? classifyAddress(bytes.subarray(12)) : outer;
}

/** RFC 5214 6.1: the interface identifier 0000:5efe or, with the universal bit, 0200:5efe, then the IPv4 address. */
function isIsatap(bytes: Uint8Array): boolean {
  return (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function matches(bytes: Uint8Array, prefix: Prefix): boolean {
  const whole = prefix.bits >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== prefix.bytes[i]) return false;
  const rest = prefix.bits & 7;
  return rest === 0 || (bytes[whole]! ^ prefix.bytes[whole]!) >> (8 - rest) === 0;
}

function parsePrefix(cidr: string): Prefix {
  const [address = '', bits = ''] = cidr.split('/');
  const bytes = parseAddress(address);
  if (!bytes) throw new Error(`bad range ${cidr}`);
  return { bytes, bits: Number(bits) };
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

function parseIpv6(text: string): Uint8Array | undefined {
  const [head = '', tail, ...more] = text.split('::');
  const left = parseGroups(head, tail === undefined);
  const right = tail === undefined ? [] : parseGroups(tail, true);
  if (more.length > 0 || !left || !right) return undefined;
  const missing = 16 - left.length - right.length;
  // "::" stands for at least one group of zeros (RFC 5952 4.2.2 only asks writers to prefer two).
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...left, ...new Array<number>(missing).fill(0), ...right]);
}

/** The bytes of colon-separated groups; only the last group of an address may be dotted IPv4. */
function parseGroups(text: string, endsAddress: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    const dotted = endsAddress && index === groups.length - 1 && group.includes('.') ? parseIpv4(group) : undefined;
    if (dotted) {
      bytes.push(...dotted);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}
