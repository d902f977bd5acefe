import type { AddressReason } from './ip-ranges.js';

/** Why a target is refused; the API's `code` is the same word in upper case (S-1). */
export type UrlReason =
  | 'invalid_url'
  | 'scheme_missing'
  | 'scheme_not_allowed'
  | 'userinfo_not_allowed'
  | 'control_char'
  | 'invalid_unicode'
  | 'too_long'
  | 'host_invalid'
  | 'host_not_public'
  | 'port_blocked'
  | 'own_domain'
  | 'nested_shortener'
  | 'idn_mixed_script'
  | 'idn_confusable'
  | 'idn_invisible'
  | 'ip_obfuscated'
  | AddressReason;

/** Constant sentences: a refusal never echoes what was sent. */
const MESSAGES: Record<UrlReason, string> = {
  invalid_url: 'Give a complete web address such as https://example.com/page.',
  scheme_missing: 'Begin the address with https:// or http://.',
  scheme_not_allowed: 'Use an address that begins with https:// or http://; other schemes are not accepted.',
  userinfo_not_allowed: 'Remove the user name and password before the @ sign.',
  control_char: 'Remove line breaks, tabs and other control characters from the address.',
  invalid_unicode: 'Remove the broken character (half of a surrogate pair) from the address.',
  too_long: 'Shorten the address: in its encoded form it is longer than allowed.',
  host_invalid:
    'Correct the host name: its parts need 1 to 63 letters, digits, hyphens or underscores, 253 characters in all.',
  host_not_public: 'Use a host name that the public internet can reach.',
  port_blocked: 'Use another port; browsers or this service refuse this one.',
  own_domain: 'Link to the final address instead of another short link of this service.',
  nested_shortener: 'Link to the final address instead of a short link of another service.',
  idn_mixed_script: 'Use a host name whose parts are each written in one script.',
  idn_confusable: 'Use a host name that cannot be mistaken for a different one.',
  idn_invisible: 'Remove invisible characters from the host name.',
  ip_obfuscated: 'Write the IP address as four plain decimal numbers.',
  ip_loopback: 'Use a public address; this one points back to the device that opens it.',
  ip_private: 'Use a public address; this one belongs to a private network.',
  ip_link_local: 'Use a public address; this one works only on a local link.',
  ip_metadata: 'Use a public address; this one belongs to a cloud metadata service.',
  ip_cgnat: "Use a public address; this one belongs to a provider's internal network.",
  ip_unspecified: 'Use a public address; this one names no host.',
  ip_multicast: 'Use a public address; this one names a group of hosts.',
  ip_reserved: 'Use a public address; this one is reserved.',
};

/** A refusal as data, with one sentence that tells the caller what to change. */
export interface UrlRefusal {
  ok: false;
  reason: UrlReason;
  message: string;
}

export function refuseUrl(reason: UrlReason): UrlRefusal {
  return { ok: false, reason, message: MESSAGES[reason] };
}
