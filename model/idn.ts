import { domainToASCII, domainToUnicode } from 'node:url';
import unhomoglyph from 'unhomoglyph';
import { DELIMITER_LOOKALIKES, DELIMITER_SKELETON, INVISIBLE, ORTHOGRAPHIC, PERMITTED_SCRIPTS } from './idn-data.js';

export type IdnReason = 'idn_mixed_script' | 'idn_confusable' | 'idn_invisible';
export type IdnFlag = 'idn_symbol' | 'idn_combining';
export type IdnVerdict = { ok: true; flags: IdnFlag[] } | { ok: false; reason: IdnReason };

/**
 * The labels of a host as a reader sees them, or undefined when an A-label is no valid one (RFC 5890 2.3.2.1: it decodes,
 * and encodes back to itself). Newer engines let invalid ones pass; we keep refusing them.
 */
export function unicodeLabels(host: string): string[] | undefined {
  const labels: string[] = [];
  for (const label of host.split('.')) {
    const decoded = label.startsWith('xn--') ? domainToUnicode(label) : label;
    if (decoded !== label && (isAscii(decoded) || domainToASCII(decoded) !== label)) return undefined;
    if (decoded.startsWith('xn--')) return undefined;
    labels.push(decoded);
  }
  return labels;
}

/** Whether text holds a character that a reader can't see; asked of the host as typed, before UTS46 drops such. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Judges the labels of a host (from `unicodeLabels`) by UTS39, under the policy of S-1. */
export function judgeLabels(labels: readonly string[]): IdnVerdict {
  const foreign = labels.filter((label) => !isAscii(label));
  if (foreign.some(hasInvisible)) return { ok: false, reason: 'idn_invisible' };
  if (foreign.some(hasDelimiterLookalike)) return { ok: false, reason: 'idn_confusable' };
  if (foreign.some(mixesScripts)) return { ok: false, reason: 'idn_mixed_script' };
  const topLevel = labels.at(-1) ?? '';
  if (isAscii(topLevel) && foreign.some((label) => readsAsAscii(label, topLevel))) {
    return { ok: false, reason: 'idn_confusable' };
  }
  const flags: IdnFlag[] = [];
  if (foreign.some(hasSymbol)) flags.push('idn_symbol');
  if (foreign.some(hasStrayMark)) flags.push('idn_combining');
  return { ok: true, flags };
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/**
 * A character that looks like / ? # : @ . % or \ makes one host read as another plus a path. Letters, marks and digits
 * of a script with such shapes (the Indic visarga, the Arabic zero, the katakana letter NO) pass between its own letters.
 */
function hasDelimiterLookalike(label: string): boolean {
  const chars = [...label];
  return chars.some((char, i) => {
    if (isAscii(char)) return false;
    if (!DELIMITER_LOOKALIKES.has(char) && !DELIMITER_SKELETON.test(unhomoglyph(char))) return false;
    if (char === '·') return chars[i - 1] !== 'l' || chars[i + 1] !== 'l'; // Catalan l·l, RFC 5892 A.3
    const neighbours = [chars[i - 1], chars[i + 1]].filter((neighbour) => neighbour !== undefined);
    return !isOwnLetter(char) || neighbours.length === 0 || !neighbours.every(isOwnLetter);
  });
}

/** A letter, mark or digit of one script that isn't Latin, or the katakana middle dot (RFC 5892 A.7). */
function isOwnLetter(char: string): boolean {
  if (char === '・') return true;
  return /[\p{L}\p{M}\p{N}]/u.test(char) && !/[\p{scx=Latn}\p{scx=Zyyy}\p{scx=Zinh}]/u.test(char);
}

/** UTS39 5.1 and 5.2, and 5.3: the digits of two systems (0 and ٠) in one label. */
function mixesScripts(label: string): boolean {
  if (!PERMITTED_SCRIPTS.some((scripts) => scripts.test(label))) return true;
  const systems = new Set(Array.from(label.matchAll(/\p{Nd}/gu), ([digit]) => zeroOf(digit.codePointAt(0)!)));
  return systems.size > 1;
}

/** The zero of a digit's system: Unicode encodes every system as ten consecutive code points. */
function zeroOf(codePoint: number): number {
  let zero = codePoint;
  while (codePoint - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return zero;
}

/** Whether the whole label has the shape of an ASCII one: its skeleton (UTS39 4) holds host characters only. */
function readsAsAscii(label: string, topLevel: string): boolean {
  // A dot on a letter that already has one can't be seen.
  if (/[\p{Soft_Dotted}ı]\u0307/u.test(label.normalize('NFD'))) return true;
  let text = label;
  for (const [letters, homes] of ORTHOGRAPHIC) if (homes.test(topLevel)) text = text.replace(letters, '\uE000');
  // The confusables file keeps CJK strokes apart from Latin letters, but UTS39 lets a label mix them.
  const skeleton = unhomoglyph(text.normalize('NFD')).replace(/[丨〡]/g, 'l');
  return /^[\w-]+$/.test(skeleton.normalize('NFD'));
}

/** Emoji, symbols and punctuation, but not those that RFC 5892 appendix A allows inside words. */
function hasSymbol(label: string): boolean {
  return /[^\p{L}\p{Mn}\p{Mc}\p{Nd}\p{Nl}\0-\x7f·͵׳״・]/u.test(label);
}

/** Accents that compose with nothing: on a Latin base, of no script of their own, repeated or heaped (UTS39 5.4). */
function hasStrayMark(label: string): boolean {
  return /[\w\p{sc=Latn}-]\p{M}|\p{sc=Zinh}|(\p{Mn})\1|\p{Mn}{5,}/u.test(label);
}
