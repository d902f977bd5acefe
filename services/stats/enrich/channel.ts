import { MAIL_HOSTS, SEARCH_HOSTS, SOCIAL_HOSTS } from './channel-hosts.js';

/** Which way people came, each click by exactly one. */
export const CHANNELS = [
  'DIRECT',
  'REFERRAL',
  'ORGANIC_SEARCH',
  'PAID_SEARCH',
  'ORGANIC_SOCIAL',
  'PAID_SOCIAL',
  'EMAIL',
  'SMS',
  'AFFILIATE',
  'DISPLAY',
  'PAID_OTHER',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** What tells the channel of a click; '' = absent. */
export interface ChannelHints {
  /** Host, as `referrerHost` gives it. */
  referrer: string;
  /** `utm_medium` and `utm_source`. */
  medium: string;
  source: string;
  /** The query had the click id of an advertising system. */
  adClick: boolean;
}

type Site = 'search' | 'social' | 'mail' | undefined;

const PAID = /^(?:.*cp[acmv]|ppc|retargeting|paid.*|cost.?per.*|sem)$/;
const MEDIA: readonly [RegExp, Channel][] = [
  [/^(?:e[-_ ]?mail|newsletter|edm)$/, 'EMAIL'],
  [/^(?:sms|mms|text)$/, 'SMS'],
  [/^(?:affiliates?|partner)$/, 'AFFILIATE'],
  [/^(?:display|banner|expandable|interstitial|cpm)$/, 'DISPLAY'],
  [/^(?:social(?:[-_ ]?(?:network|media))?|sm)$/, 'ORGANIC_SOCIAL'],
  [/^organic$/, 'ORGANIC_SEARCH'],
  [/^(?:referral|link|app)$/, 'REFERRAL'],
];
/** What people write for a site in `utm_source` without its domain. */
const SOURCES: Readonly<Record<string, Site>> = {
  ...Object.fromEntries(
    ['google', 'bing', 'baidu', 'yahoo', 'duckduckgo', 'yandex', 'naver', 'sogou', '360'].map((name) => [
      name,
      'search',
    ]),
  ),
  ...Object.fromEntries(
    [
      'facebook',
      'fb',
      'instagram',
      'ig',
      'twitter',
      'x',
      'linkedin',
      'tiktok',
      'pinterest',
      'reddit',
      'youtube',
      'snapchat',
      'threads',
    ].map((name) => [name, 'social']),
  ),
  ...Object.fromEntries(
    ['weibo', 'wechat', 'weixin', 'douyin', 'xiaohongshu', 'zhihu', 'qq', 'bilibili', 'telegram', 'whatsapp'].map(
      (name) => [name, 'social'],
    ),
  ),
};

/**
 * What its maker says of a campaign comes first: being paid for, then its medium; then the page it came from. The
 * groups are those of the default channels of Google Analytics 4 as far as referrers and parameters tell.
 */
export function channelOf({ referrer, medium, source, adClick }: ChannelHints): Channel {
  const said = medium.toLowerCase();
  const site = SOURCES[source.toLowerCase()] ?? siteOf(source.toLowerCase()) ?? siteOf(referrer);
  const byMedium = MEDIA.find(([pattern]) => pattern.test(said))?.[1];
  if (byMedium === 'DISPLAY') return byMedium;
  if (adClick || PAID.test(said)) {
    if (site === 'search' || (adClick && site === undefined && !PAID.test(said))) return 'PAID_SEARCH';
    return site === 'social' ? 'PAID_SOCIAL' : 'PAID_OTHER';
  }
  if (byMedium) return byMedium;
  if (site === 'search') return 'ORGANIC_SEARCH';
  if (site === 'social') return 'ORGANIC_SOCIAL';
  if (site === 'mail' || /^(?:e[-_]?mail|newsletter)$/.test(source.toLowerCase())) return 'EMAIL';
  return referrer === '' && said === '' && source === '' ? 'DIRECT' : 'REFERRAL';
}

const SITES: ReadonlyMap<string, Site> = new Map([
  ...SEARCH_HOSTS.map((host) => [host, 'search'] as const),
  ...SOCIAL_HOSTS.map((host) => [host, 'social'] as const),
  ...MAIL_HOSTS.map((host) => [host, 'mail'] as const),
]);

/** By the host, or by its name before the country (`google.`, of `google.co.uk` too). */
function siteOf(host: string): Site {
  const exact = SITES.get(host);
  if (exact) return exact;
  const name = /^(?:search\.)?[a-z]+\.(?=(?:com?\.)?[a-z]{2,3}$)/.exec(host)?.[0];
  return name ? SITES.get(name) : undefined;
}
