import { isPermanent, type RedirectType } from '../../model/snapshot.js';

/** Each visit asks us, so that a change or a takedown reaches everybody at once. */
const NEVER_STORED = ['Cache-Control', 'no-store, no-cache, must-revalidate, max-age=0', 'Pragma', 'no-cache'] as const;

/** Long enough to spare a page its repeats, short enough that a takedown is not outlived (decisions 15). */
const STORED_BRIEFLY = ['Cache-Control', 'private, max-age=90'] as const;

const ALWAYS = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Robots-Tag',
  'noindex',
  'Referrer-Policy',
  'no-referrer-when-downgrade',
  'Content-Length',
  '0',
] as const;

/** Names and values in turn, as `writeHead` takes them. Location is the stored target, byte for byte. */
export function redirectHeaders(type: RedirectType, targetUrl: string): readonly string[] {
  return ['Location', targetUrl, ...(isPermanent(type) ? STORED_BRIEFLY : NEVER_STORED), ...ALWAYS];
}
