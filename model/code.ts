import { randomBytes } from 'node:crypto';

/** Fixed for a group when it is made (C-5). */
export type CodeCase = 'SENSITIVE' | 'FOLDED';

/** Digits, lower, upper: the order of source 001, which the sequential issuer will share. */
const BASE62 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Largest multiple of 62 in a byte: values from there on are drawn again, so that no character is favoured. */
const FAIR_BYTES = 248;

const CUSTOM_MIN = 4;
const CUSTOM_MAX = 32;

/** Words that are, or may become, paths of the platform itself; compared without regard to case. */
const RESERVED = new Set(
  (
    'about abuse account accounts admin administrator analytics api apikey apis app apps assets auth billing blog ' +
    'callback config console contact dashboard debug docs domain domains download error errors favicon feedback ' +
    'graphiql graphql grpc health healthz help home index internal invite legal link links live login logout manage ' +
    'metrics monitor node null oauth oidc ping preview privacy public ready readyz register report rest robots root ' +
    'search security settings setup signin signout signup sitemap static stats status support system tenant tenants ' +
    'terms test tests undefined upload user users version webhook webhooks well-known www ' +
    // No codes by their characters either; the reason that people need is this one.
    '.well-known favicon.ico qr robots.txt sitemap.xml'
  ).split(' '),
);

/** A random code, uniform over Base62 (C-1). */
export function randomCode(length: number): string {
  let code = '';
  while (code.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && code.length < length) code += BASE62[byte % 62];
    }
  }
  return code;
}

/** The form in which codes of a group are stored, compared and looked up. */
export function comparedCode(code: string, codeCase: CodeCase): string {
  return codeCase === 'FOLDED' ? code.toLowerCase() : code;
}

export type CodeFault = { code: 'CODE_INVALID' | 'CODE_RESERVED'; message: string };

/** What is wrong with a code that a caller chose; undefined when nothing is. */
export function customCodeFault(code: string): CodeFault | undefined {
  if (RESERVED.has(code.toLowerCase())) {
    return { code: 'CODE_RESERVED', message: `"${code}" is reserved for the platform itself. Choose another code.` };
  }
  const bad = /[^A-Za-z0-9_-]/u.exec(code)?.[0];
  if (bad !== undefined) {
    const shown = /^[\x21-\x7e]$/.test(bad) ? `"${bad}"` : `U+${hex(bad)}`;
    return { code: 'CODE_INVALID', message: `The short code has ${shown}; only letters, digits, - and _ are allowed.` };
  }
  if (code.length < CUSTOM_MIN || code.length > CUSTOM_MAX) {
    return { code: 'CODE_INVALID', message: `The short code must have ${CUSTOM_MIN} to ${CUSTOM_MAX} characters.` };
  }
  return undefined;
}

/** Whether a path segment can be a code at all: refused without any look-up otherwise (K-5). */
export function isCodeShaped(segment: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(segment);
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
