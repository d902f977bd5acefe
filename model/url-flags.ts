/** What the risk scan weighs in the path, query and fragment of an accepted target; nothing here refuses one. */
export type UrlContentFlag = 'embedded_url' | 'suspicious_encoding' | 'bidi_in_path';

/** Percent-encoding may be laid over itself; deeper than this nobody decodes. */
const MAX_DECODINGS = 3;

/** An absolute URL, one that lacks its scheme in a value, a script URL, or base64 of "http://" or "https://". */
const EMBEDDED_URL = /https?:[/\\]|[=?&#/](?:https?|javascript|vbscript):|[=?&#][/\\]{2}[^/\\]/i;
const EMBEDDED_BASE64 = /aHR0c(?:DovL|HM6Ly)/;

/** Two or three byte forms of the ASCII characters that a filter looks for (RFC 3629 3 forbids them), and IIS's %uXXXX. */
const OVERLONG = /%c0%(?:80|8[ad]|a[27ef]|b[ce])|%c1%9c|%e0%8[01]%[89ab][0-9a-f]|%u[0-9a-f]{4}/i;
const CONTROL = /\p{Cc}/u;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Header names after an encoded line break: with these a break is an attack, without them the text of a message. */
const HEADER_AFTER_BREAK =
  /[\r\n]\s*(?:set-cookie|location|refresh|content-[a-z-]+|transfer-encoding|access-control-[a-z-]+|x-[a-z-]+)\s*:|[\r\n]http\//i;

/** Flags of a parsed URL; reads it as stored and below each layer of percent-encoding. */
export function contentFlags(url: URL): UrlContentFlag[] {
  const flags: UrlContentFlag[] = [];
  const layers = decodings(url.pathname + url.search + url.hash);
  if (layers.some((text) => EMBEDDED_URL.test(text) || EMBEDDED_BASE64.test(text))) flags.push('embedded_url');
  if (hasSuspiciousEncoding(url, layers)) flags.push('suspicious_encoding');
  if (layers.some((text) => /\p{Bidi_Control}/u.test(text))) flags.push('bidi_in_path');
  return flags;
}

/**
 * An encoded control character, at any depth. Only in a query and at the first depth tab and line breaks are normal
 * (the text of a message to share), unless a response header follows.
 */
function hasSuspiciousEncoding(url: URL, layers: readonly string[]): boolean {
  if (layers.some((text) => OVERLONG.test(text) || HEADER_AFTER_BREAK.test(text))) return true;
  const message = decodeOnce(url.search).replace(/[\t\r\n]/g, ' ');
  if ([decodeOnce(url.pathname), message, decodeOnce(url.hash)].some((text) => CONTROL.test(text))) return true;
  // A control that a second decoding brings to light, whatever the first one showed.
  const deeper = decodings((layers[1] ?? '').replace(/\p{Cc}/gu, ' ')).slice(1);
  return deeper.some((text) => CONTROL.test(text));
}

/** The text itself, then what each further percent-decoding gives, until nothing changes. */
function decodings(text: string): string[] {
  const layers = [text];
  while (layers.length <= MAX_DECODINGS) {
    const next = decodeOnce(layers.at(-1)!);
    if (next === layers.at(-1)) break;
    layers.push(next);
  }
  return layers;
}

/** Percent-decodes as UTF-8, with U+FFFD for broken bytes: the whole must not fail because a part does. */
function decodeOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
    return UTF8.decode(bytes);
  });
}
