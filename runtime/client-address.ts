import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

const MAX_ANSWERS = 1_000;

/** Finds the address that a request came from. `X-Forwarded-For` counts only as far as trusted proxies wrote it. */
export class ClientAddress {
  readonly #trusted = new BlockList();
  readonly #nobody: boolean;
  /** A look-up in the list takes microseconds, and proxies are few. */
  readonly #answers = new Map<string, boolean>();

  /** @param proxies addresses and CIDRs */
  constructor(proxies: readonly string[]) {
    this.#nobody = proxies.length === 0;
    for (const proxy of proxies) {
      const [address = '', bits] = proxy.split('/');
      const family = familyOf(address);
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * The right-most hop that is not a trusted proxy (bug report 59). A hop that is no address ends the walk: the trusted
   * proxy that wrote it did not know more. `Forwarded` and all other headers of the kind are not read.
   * @param forwardedFor the header's values in the order of arrival
   */
  of(peer: string, forwardedFor: readonly string[]): string {
    let client = readAddress(peer) ?? peer;
    for (const hop of forwardedFor.join(',').split(',').reverse()) {
      if (!this.#trusts(client)) break;
      const address = readAddress(hop);
      if (address === undefined) break;
      client = address;
    }
    return client;
  }

  #trusts(address: string): boolean {
    if (this.#nobody) return false;
    const known = this.#answers.get(address);
    if (known !== undefined) return known;
    const trusts = isIP(address) !== 0 && this.#trusted.check(address, familyOf(address));
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear();
    this.#answers.set(address, trusts);
    return trusts;
  }
}

/** Whether this is an IP address or a CIDR. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0 || isIP(address) === 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
}

/** IPv4 on a socket of both families. */
const MAPPED = '::ffff:';

/** One form for each address: no port, brackets or zone, and IPv4 not wrapped in IPv6. Undefined for other text. */
function readAddress(text: string): string | undefined {
  // Nearly every address there is, and in its one form already.
  const plain = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text;
  if (isIPv4(plain)) return plain;
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bare) === 0) return undefined;
  return new SocketAddress({ address: bare, family: familyOf(bare) }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
