/**
 * Names that the public DNS doesn't serve, each with everything below it. The registry of RFC 6761 and the names that
 * networks use for themselves; `.example` and example.com are left out on purpose: documentation and demos link to them.
 */
const SPECIAL_SUFFIXES: ReadonlySet<string> = new Set([
  ...['localhost', 'invalid'], // RFC 6761; its .test is left to testers, as .example is to documentation
  'local', // RFC 6762 multicast DNS
  ...['intranet', 'internal', 'private', 'corp', 'home', 'lan'], // RFC 6762 appendix G; ICANN reserved .internal in 2024
  'mail', // ICANN 2018: never delegated, as .home and .corp
  'onion', // RFC 7686
  'alt', // RFC 9476
  'arpa', // RFC 3172 infrastructure, with home.arpa (RFC 8375), service.arpa, resolver.arpa and the reverse zones
  ...['localdomain', 'domain', 'workgroup', 'router', 'gateway'], // factory settings of systems and home routers
  ...['svc', 'default', 'cluster', 'pod', 'docker', 'consul'], // container platforms' search domains
  ...['i2p', 'gnu', 'zkey', 'exit', 'bit'], // other naming systems; a browser without them asks the DNS in vain
  // Metadata services under public names; their address is link-local.
  ...['metadata.goog', 'metadata.tencentyun.com', 'metadata.packet.net', 'metadata.platformequinix.com'],
  'api.metadata.cloud.ibm.com',
]);

/** The root holds only alphabetic and A-label names (RFC 1123 2.1, RFC 3696 2), so `db.k8s` and `a.b_c` are local. */
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/;

/** Whether the public DNS may serve a host: lower-case A-labels, no trailing dot, not an address. */
export function isPublicName(host: string): boolean {
  const labels = host.split('.');
  if (labels.length < 2 || !TOP_LEVEL.test(labels.at(-1)!)) return false;
  return !labels.some((_, index) => SPECIAL_SUFFIXES.has(labels.slice(index).join('.')));
}
