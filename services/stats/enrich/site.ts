import { HOSTS, NAMES, SEARCH_ALONE, type SiteKind } from './sites.js';

const hosts = tableOf(HOSTS);
const names = tableOf(NAMES);
const searchAlone = new Set(wordsOf(SEARCH_ALONE));

/** Brands with a domain in each country, which are looked up as their `.com`. */
const COUNTRIES = /(^|\.)(google|yandex|amazon|ebay|shopee|lazada|pinterest)\.(?:com?\.)?[a-z]{2,3}$/;
/** Parts that a site puts before its name for some devices. */
const DEVICE = /^(?:www\d?|m|wap|mobile|amp|cn)\./;

/**
 * What a site is for, by its host or a name that people use for it.
 * @returns undefined for any that is not known
 */
export function siteOf(hostOrName: string): Exclude<SiteKind, 'NONE'> | undefined {
  const name = hostOrName
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  const kind = name.includes('.') ? siteOfHost(name) : names.get(name);
  return kind === 'NONE' ? undefined : kind;
}

function siteOfHost(given: string): SiteKind | undefined {
  const host = given.replace(DEVICE, '').replace(COUNTRIES, '$1$2.com');
  if (searchAlone.has(host)) return 'SEARCH';
  for (let rest = host, dot = 0; dot >= 0; rest = rest.slice(dot + 1)) {
    const kind = hosts.get(rest);
    if (kind) return kind;
    dot = rest.indexOf('.');
  }
  return undefined;
}

function tableOf<K extends SiteKind>(words: Record<K, string>): Map<string, K> {
  const kinds = Object.keys(words) as K[];
  return new Map(kinds.flatMap((kind) => wordsOf(words[kind]).map((word) => [word, kind] as const)));
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
