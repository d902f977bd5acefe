/**
 * The special-purpose blocks of both IANA registries and the cloud metadata addresses, as data: first match decides.
 * Sources: IANA IPv4/IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190), RFC 4291, and the clouds' own manuals.
 */

/** Why an address is not a public destination; the reason codes of S-1. */
export type AddressReason =
  | 'ip_loopback'
  | 'ip_private'
  | 'ip_link_local'
  | 'ip_metadata'
  | 'ip_cgnat'
  | 'ip_unspecified'
  | 'ip_multicast'
  | 'ip_reserved';

export type AddressRange = readonly [cidr: string, reason: AddressReason];

/** Metadata addresses stand first: most lie inside a link-local or private block, whose reason would hide them. */
export const IPV4_RANGES: readonly AddressRange[] = [
  ['169.254.169.254/32', 'ip_metadata'], // AWS, GCP, Azure, OCI, DigitalOcean, Hetzner, OpenStack and most others
  ['169.254.169.252/32', 'ip_metadata'], // GKE metadata server
  ['169.254.169.250/32', 'ip_metadata'], // Rancher metadata
  ['169.254.170.2/32', 'ip_metadata'], // AWS ECS task credentials
  ['169.254.170.23/32', 'ip_metadata'], // AWS EKS pod identity
  ['169.254.42.42/32', 'ip_metadata'], // Scaleway
  ['169.254.0.23/32', 'ip_metadata'], // Tencent Cloud
  ['100.100.100.200/32', 'ip_metadata'], // Alibaba Cloud, inside the shared block
  ['100.96.0.96/32', 'ip_metadata'], // Volcengine, inside the shared block
  ['168.63.129.16/32', 'ip_metadata'], // Azure wire server: a public range, answered inside every Azure network
  ['192.0.0.192/32', 'ip_metadata'], // Oracle Cloud classic, inside the IETF protocol block
  ['0.0.0.0/8', 'ip_unspecified'], // RFC 1122 3.2.1.3 "this network"; Linux connects 0.0.0.0 to itself
  ['10.0.0.0/8', 'ip_private'], // RFC 1918
  ['100.64.0.0/10', 'ip_cgnat'], // RFC 6598 shared address space
  ['127.0.0.0/8', 'ip_loopback'], // RFC 1122 3.2.1.3
  ['169.254.0.0/16', 'ip_link_local'], // RFC 3927
  ['172.16.0.0/12', 'ip_private'], // RFC 1918
  ['192.0.0.0/24', 'ip_reserved'], // RFC 6890 protocol assignments, with DS-Lite, PCP and TURN anycast, NAT64 discovery
  ['192.0.2.0/24', 'ip_reserved'], // RFC 5737 TEST-NET-1
  ['192.31.196.0/24', 'ip_reserved'], // RFC 7535 AS112: any network may answer for it itself
  ['192.52.193.0/24', 'ip_reserved'], // RFC 7450 AMT relay anycast: answered by the nearest network
  ['192.88.99.0/24', 'ip_reserved'], // RFC 7526 6to4 relay anycast, deprecated
  ['192.168.0.0/16', 'ip_private'], // RFC 1918
  ['192.175.48.0/24', 'ip_reserved'], // RFC 7534 AS112 direct delegation
  ['198.18.0.0/15', 'ip_reserved'], // RFC 2544 benchmarking
  ['198.51.100.0/24', 'ip_reserved'], // RFC 5737 TEST-NET-2
  ['203.0.113.0/24', 'ip_reserved'], // RFC 5737 TEST-NET-3
  ['224.0.0.0/4', 'ip_multicast'], // RFC 5771
  ['240.0.0.0/4', 'ip_reserved'], // RFC 1112 section 4, and RFC 8190 limited broadcast 255.255.255.255
];

/** IANA hands out only 2000::/3, so the last rows close everything around it. */
export const IPV6_RANGES: readonly AddressRange[] = [
  ['fd00:ec2::254/128', 'ip_metadata'], // AWS
  ['fd00:ec2::23/128', 'ip_metadata'], // AWS EKS pod identity
  ['fd20:ce::254/128', 'ip_metadata'], // GCP
  ['fd00:c1::a9fe:a9fe/128', 'ip_metadata'], // Oracle Cloud
  ['fd00:42::42/128', 'ip_metadata'], // Scaleway
  ['fd00:a9fe:a9fe::1/128', 'ip_metadata'], // Akamai (Linode)
  ['fe80::a9fe:a9fe/128', 'ip_metadata'], // OpenStack
  ['::/128', 'ip_unspecified'], // RFC 4291 2.5.2
  ['::1/128', 'ip_loopback'], // RFC 4291 2.5.3
  ['fe80::/10', 'ip_link_local'], // RFC 4291 2.5.6
  ['fec0::/10', 'ip_private'], // RFC 3879 site-local, deprecated but still routed inside old sites
  ['fc00::/7', 'ip_private'], // RFC 4193 unique local
  ['ff00::/8', 'ip_multicast'], // RFC 4291 2.7
  ['2001::/23', 'ip_reserved'], // RFC 2928 protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, DRIP
  ['2001:db8::/32', 'ip_reserved'], // RFC 3849 documentation
  ['2620:4f:8000::/48', 'ip_reserved'], // RFC 7534 AS112 direct delegation
  ['3ffe::/16', 'ip_reserved'], // RFC 3701 6bone, returned
  ['3fff::/20', 'ip_reserved'], // RFC 9637 documentation
  ['::/3', 'ip_reserved'], // RFC 4291, with 64:ff9b:1::/48 (RFC 8215), 100::/64 (RFC 6666), 100:0:0:1::/64 (RFC 9780)
  ['4000::/2', 'ip_reserved'], // RFC 4291, with SRv6 SIDs 5f00::/16 (RFC 9602)
  ['8000::/1', 'ip_reserved'], // RFC 4291
];

/** IPv6 forms that carry an IPv4 address at a byte offset; a gateway may deliver them to that address (V13). */
export const EMBEDDED_IPV4: readonly (readonly [cidr: string, offset: number])[] = [
  ['::ffff:0:0/96', 12], // RFC 4291 2.5.5.2 IPv4-mapped
  ['::/96', 12], // RFC 4291 2.5.5.1 IPv4-compatible, deprecated
  ['::ffff:0:0:0/96', 12], // RFC 2765 IPv4-translated
  ['64:ff9b::/96', 12], // RFC 6052 NAT64 well-known prefix
  ['2002::/16', 2], // RFC 3056 6to4
];
