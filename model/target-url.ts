import { hasInvisible, type IdnFlag, judgeLabels, unicodeLabels } from './idn.js';
import { classifyAddress, parseAddress } from './ip-address.js';
import { isOpenRedirector } from './open-redirectors.js';
import { isPublicName } from './special-names.js';
import { contentFlags, type UrlContentFlag } from './url-flags.js';
import { BLOCKED_PORTS } from './url-ports.js';
import { refuseUrl, type UrlReason, type UrlRefusal } from './url-refusal.js';

export type { UrlReason } from './url-refusal.js';

/** Grows when this file's canonical form of any input changes; stored beside each canonical URL (decisions 34). */
export const CANONICALISER_VERSION = 1;

/** Bytes of the canonical form; a tenant may set less (S-1). */
export const MAX_TARGET_BYTES = 8_000;

export type UrlFlag = UrlContentFlag | IdnFlag | 'ip_literal' | 'open_redirector';

export interface TargetUrl {
  /** Exactly what the WHATWG parser serialises: printable ASCII, the only form that is stored, matched and emitted. */
  canonical: string;
  /** Lower-case A-labels or an address literal (IPv6 in brackets), no trailing dot; for matching. */
  host: string;
  flags: UrlFlag[];
}

export type TargetUrlResult = { ok: true; url: TargetUrl } | UrlRefusal;

type HostVerdict = { ok: true; flags: UrlFlag[] } | { ok: false; reason: UrlReason };

/**
 * Judges and canonicalises a link target: all of S-1 that needs no data of a deployment, so own domains and other
 * shorteners are left to the risk service. `maxBytes` lowers the limit, it can't raise it. Never throws.
 */
export function parseTargetUrl(input: string, options: { maxBytes?: number } = {}): TargetUrlResult {
  // The WHATWG parser would trim C0 controls too and drop tabs and line breaks anywhere: we'd store what nobody sent.
  const text = trimSpaces(input);
  if (hasControl(text)) return refuseUrl('control_char');
  if (/\p{Surrogate}/u.test(text)) return refuseUrl('invalid_unicode');
  if (text === '') return refuseUrl('invalid_url');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuseUrl('scheme_missing');
  if (scheme !== 'http' && scheme !== 'https') return refuseUrl('scheme_not_allowed');
  if (!URL.canParse(text)) return refuseUrl('invalid_url');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuseUrl('userinfo_not_allowed');

  const host = hostForMatching(url.hostname);
  const verdict = judgeHost(host, typedHost(text));
  if (!verdict.ok) return refuseUrl(verdict.reason);
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port))) return refuseUrl('port_blocked');
  const canonical = url.href;
  // ASCII only, so its length is its bytes.
  if (canonical.length > Math.min(options.maxBytes ?? MAX_TARGET_BYTES, MAX_TARGET_BYTES)) return refuseUrl('too_long');

  const flags: UrlFlag[] = [...verdict.flags, ...contentFlags(url)];
  if (isOpenRedirector(url)) flags.push('open_redirector');
  return { ok: true, url: { canonical, host, flags } };
}

/** Outer U+0020 only; by index, for a pattern anchored at the end is quadratic in the spaces inside. */
function trimSpaces(input: string): string {
  let start = 0;
  let end = input.length;
  while (start < end && input[start] === ' ') start += 1;
  while (end > start && input[end - 1] === ' ') end -= 1;
  return input.slice(start, end);
}

/** C0 and DEL. C1 controls count as data: the canonical form holds them percent-encoded. */
function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

/** The form in which two hosts are compared: lower case, without the dot of the root. Expects A-labels. */
export function hostForMatching(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

function judgeHost(host: string, typed: string): HostVerdict {
  const address = parseAddress(host);
  if (address) {
    const reason = classifyAddress(address);
    if (reason !== 'public') return { ok: false, reason };
    // IPv6 has no notation that another parser reads as another address, so only IPv4 must be plain.
    if (address.length === 4 && typed !== host) return { ok: false, reason: 'ip_obfuscated' };
    return { ok: true, flags: ['ip_literal'] };
  }
  if (hasInvisible(percentDecoded(typed))) return { ok: false, reason: 'idn_invisible' };
  // Before anything that costs time by the length.
  if (!hasDnsLengths(host)) return { ok: false, reason: 'host_invalid' };
  const labels = unicodeLabels(host);
  if (!labels) return { ok: false, reason: 'invalid_url' };
  // WHATWG lets " ' ( ) * ; and more through; no public host has them, and some of them end an HTML attribute.
  if (/[^a-z0-9._-]/.test(host)) return { ok: false, reason: 'host_invalid' };
  if (!isPublicName(host)) return { ok: false, reason: 'host_not_public' };
  return judgeLabels(labels);
}

/** RFC 1035 2.3.4: labels of 1 to 63 octets, 253 with their dots. WHATWG doesn't ask for it. */
function hasDnsLengths(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => label !== '' && label.length <= 63);
}

/**
 * The host of a text that parsed, as it was typed. It follows the parser's states for special schemes: slashes of both
 * kinds are skipped, the authority ends at / \ ? or #, the last @ ends the user info.
 */
function typedHost(text: string): string {
  const authority = /^[a-z]+:[/\\]*([^/\\?#]*)/i.exec(text)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
}

function percentDecoded(host: string): string {
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}
