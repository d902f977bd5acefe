import { isCodeShaped } from '../../model/code.js';

const SLASH = 0x2f;

/**
 * The code that a request target (RFC 9112 3.2) names, or undefined when it names none. Only `/code` and `/code/`, with
 * or without a query, do: `//host`, `/\host`, an absolute URL and `*` are not codes, so they lead nowhere. A URL parser
 * never sees a target, it would find a host in some of them (security.md fact 6).
 */
export function codeOf(target: string): string | undefined {
  if (target.charCodeAt(0) !== SLASH) return undefined;
  const query = target.indexOf('?');
  let end = query < 0 ? target.length : query;
  if (end > 1 && target.charCodeAt(end - 1) === SLASH) end--;
  const segment = target.slice(1, end);
  const code = segment.includes('%') ? decodedOnce(segment) : segment;
  return isCodeShaped(code) ? code : undefined;
}

/** Empty, which no code is, when the escapes are malformed. */
function decodedOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** The value of the one Host header; undefined without one and with several, which name no host (RFC 9112 3.2). */
export function soleHost(rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return undefined;
    host = rawHeaders[i + 1];
  }
  return host;
}
