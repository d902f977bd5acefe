import type { HostEntry } from '../../model/host.js';
import type { LinkSnapshot } from '../../model/snapshot.js';

/** Which link a request led to, and by which name. */
export interface Visited {
  readonly link: LinkSnapshot;
  readonly host: HostEntry;
  /** As compared (model/code.ts). */
  readonly code: string;
}

/** What is captured of a redirect that has been answered: references alone, read later, off the hot path. */
export interface Visit {
  /** Milliseconds since 1970. */
  timeMs: number;
  visited: Visited;
  head: boolean;
  /** The request target. */
  url: string;
  rawHeaders: readonly string[];
  /** The socket's other end; a proxy perhaps. */
  peer: string;
  status: number;
  costUs: number;
}

/** What the headers of a visit say. */
export interface VisitHeaders {
  userAgent: string;
  referrer: string;
  language: string;
  prefetch: boolean;
  /** Sec-GPC or DNT: the visitor asked not to be recognised. */
  unrecognised: boolean;
  forwardedFor: string[];
}

/** A header may have 16 KiB, a batch of 100 clicks must fit in a message of 1 MiB. */
const MAX_TEXT = 1_000;

/** The values that say prefetch; Chromium adds parameters to Sec-Purpose (`prefetch;prerender`). */
const PREFETCH: Record<string, RegExp> = {
  'sec-purpose': /^prefetch/i,
  purpose: /^prefetch$/i,
  'x-moz': /^prefetch$/i,
  'x-purpose': /^preview$/i,
};
/** Of the names that are read: most of a browser's headers have another, and need not be looked at. */
const LENGTHS = new Set(
  ['user-agent', 'referer', 'accept-language', 'x-forwarded-for', 'sec-gpc', 'dnt', ...Object.keys(PREFETCH)].map(
    (name) => name.length,
  ),
);

/** @param rawHeaders names and values in turn; of a header that came twice the first counts */
export function readVisitHeaders(rawHeaders: readonly string[]): VisitHeaders {
  const read: VisitHeaders = {
    userAgent: '',
    referrer: '',
    language: '',
    prefetch: false,
    unrecognised: false,
    forwardedFor: [],
  };
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const written = rawHeaders[i] ?? '';
    if (LENGTHS.has(written.length)) readHeader(written.toLowerCase(), rawHeaders[i + 1] ?? '', read);
  }
  return read;
}

function readHeader(name: string, value: string, read: VisitHeaders): void {
  if (name === 'user-agent') read.userAgent ||= value.slice(0, MAX_TEXT);
  else if (name === 'referer') read.referrer ||= value.slice(0, MAX_TEXT);
  else if (name === 'accept-language') read.language ||= firstLanguage(value);
  else if (name === 'x-forwarded-for') read.forwardedFor.push(value);
  else if (name === 'sec-gpc' || name === 'dnt') read.unrecognised ||= value.trim() === '1';
  else if (PREFETCH[name]?.test(value.trim())) read.prefetch = true;
}

/** Empty for what is no language tag, `*` too. */
function firstLanguage(value: string): string {
  return /^\s*([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3})\s*(?:[,;]|$)/.exec(value)?.[1] ?? '';
}

/** Whether the query has `qr=1`, which our QR codes add; routing ignores it. */
export function isFromQr(url: string): boolean {
  return /\?(?:.*&)?qr=1(?:&|$)/.test(url);
}
