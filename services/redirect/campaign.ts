import type { Campaign } from '../../gen/proto/waypost/click/v1/click.js';

/** What the query of a visit says of the campaign that led there. */
export interface CampaignTags {
  /** Undefined when it says nothing. */
  campaign: Campaign | undefined;
  adClick: boolean;
}

const MAX_VALUE = 100;
const NONE: CampaignTags = { campaign: undefined, adClick: false };
const TAGS = (['source', 'medium', 'campaign', 'term', 'content'] as const).map((name) => ({
  name,
  prefix: `utm_${name}=`,
}));
/** Which `withoutControls` has found before: to look for them so takes longer. */
const CONTROLS = /\p{Cc}/gu;

/**
 * Click ids that an advertising system adds to the links of ads alone: Google (gclid, gbraid, wbraid, dclid), Microsoft,
 * TikTok, X, LinkedIn, Reddit, Snapchat, Baidu, Yandex, 360, Tencent. Left out is what is added to every link (`fbclid`,
 * `igshid`, `ysclid`, `srsltid`), to those of affiliates (`irclickid`), or by anybody (`clickid`).
 */
const AD_CLICK =
  /[?&](?:gclid|gbraid|wbraid|dclid|msclkid|ttclid|twclid|li_fat_id|rdt_cid|ScCid|bd_vid|yclid|qhclickid|gdt_vid|qz_gdt)=[^&#]/;

/** @param url the request target. Nearly all have no query, and most of the others have none of these. */
export function readCampaign(url: string): CampaignTags {
  const start = url.indexOf('?');
  if (start < 0) return NONE;
  const query = url.slice(start);
  const campaign = query.includes('utm_') ? readUtm(query) : undefined;
  const adClick = AD_CLICK.test(query);
  return campaign || adClick ? { campaign, adClick } : NONE;
}

/** Of a parameter that comes twice the first that is not empty counts. */
function readUtm(query: string): Campaign | undefined {
  const campaign: Campaign = { source: '', medium: '', campaign: '', term: '', content: '' };
  let found = false;
  // By hand: a global regular expression takes several times as long.
  for (let at = query.indexOf('utm_'); at > 0; at = query.indexOf('utm_', at + 1)) {
    const before = query[at - 1];
    if (before !== '&' && before !== '?') continue;
    const tag = TAGS.find(({ prefix }) => query.startsWith(prefix, at));
    if (!tag) continue;
    const end = query.indexOf('&', at);
    campaign[tag.name] ||= textOf(query.slice(at + tag.prefix.length, end < 0 ? undefined : end));
    found ||= campaign[tag.name] !== '';
  }
  return found ? campaign : undefined;
}

/** Decoded as forms are encoded; as it is when that fails. */
function textOf(value: string): string {
  const text = value.includes('+') ? value.replaceAll('+', ' ') : value;
  return cut(withoutControls(decoded(text)).trim());
}

function withoutControls(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return text.replace(CONTROLS, '');
  }
  return text;
}

/** Half a surrogate pair is no text. */
function cut(text: string): string {
  if (text.length <= MAX_VALUE) return text;
  const last = text.charCodeAt(MAX_VALUE - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_VALUE - 1 : MAX_VALUE);
}

function decoded(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
