import { siteOf } from './site.js';
import type { SiteKind } from './sites.js';

/**
 * By which kind of way a visitor came; always exactly one. The names are those of Google Analytics' default channel group,
 * with QR for scans that say nothing else, and OTHER for tags that no rule knows.
 */
export const CHANNELS = [
  'DIRECT',
  'REFERRAL',
  'ORGANIC_SEARCH',
  'PAID_SEARCH',
  'ORGANIC_SOCIAL',
  'PAID_SOCIAL',
  'ORGANIC_VIDEO',
  'PAID_VIDEO',
  'ORGANIC_SHOPPING',
  'PAID_SHOPPING',
  'DISPLAY',
  'PAID_OTHER',
  'EMAIL',
  'SMS',
  'PUSH',
  'AFFILIATE',
  'QR',
  'OTHER',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** What a click says of its way; '' for what it does not say. */
export interface ChannelSigns {
  /** Host, as `referrerHost` gives it. */
  referrer: string;
  /** `utm_medium` and `utm_source`. */
  medium: string;
  source: string;
  /** It had the click id of an advertising system. */
  adClick: boolean;
  trigger: 'link' | 'qr';
}

type Site = Exclude<SiteKind, 'NONE'>;

const ORGANIC: Record<Site, Channel> = {
  SEARCH: 'ORGANIC_SEARCH',
  SOCIAL: 'ORGANIC_SOCIAL',
  VIDEO: 'ORGANIC_VIDEO',
  SHOPPING: 'ORGANIC_SHOPPING',
  EMAIL: 'EMAIL',
  DISPLAY: 'DISPLAY',
};

const PAID: Record<Site, Channel> = {
  SEARCH: 'PAID_SEARCH',
  SOCIAL: 'PAID_SOCIAL',
  VIDEO: 'PAID_VIDEO',
  SHOPPING: 'PAID_SHOPPING',
  // An ad within a mail is one.
  EMAIL: 'PAID_OTHER',
  DISPLAY: 'DISPLAY',
};

const PAID_MEDIUM = /\bcp[acmv]?\b|^(?:ppc|ppv|retargeting|remarketing|paid.*|sem)$/;

/** Media that say it all, whatever the source is. The first that fits. */
const MEDIA: readonly [RegExp, Channel][] = [
  [/^(?:display|banner|expandable|interstitial|native|programmatic)$/, 'DISPLAY'],
  [/^(?:e-?mail|newsletter|edm)$/, 'EMAIL'],
  [/^(?:sms|mms|rcs|text-message)$/, 'SMS'],
  [/^affiliates?$/, 'AFFILIATE'],
  [/push$|mobile|notification/, 'PUSH'],
  [/^qr(?:-?codes?)?$/, 'QR'],
  [/^(?:social|social-network|social-media|sm|organic-?social)$/, 'ORGANIC_SOCIAL'],
  [/video/, 'ORGANIC_VIDEO'],
];

/** What tools write for nothing. */
const NOTHING = /^\(?(?:none|not-set|direct)\)?$/;
const LINKING = /^(?:referral|app|link)$/;

/** Tags come before the referrer: whoever made the link knows best. In-app browsers are not considered. */
export function channelOf({ referrer, medium: anyMedium, source: anySource, adClick, trigger }: ChannelSigns): Channel {
  const [medium, source] = [plain(anyMedium), plain(anySource)];
  const meant = source === '' ? undefined : siteOf(source);
  const came = referrer === '' ? undefined : siteOf(referrer);
  if (adClick || PAID_MEDIUM.test(medium)) return paidChannel(medium, meant ?? came);
  const told = channelOfMedium(medium) ?? channelOfSource(source);
  if (told) return told;
  if (meant) return ORGANIC[meant];
  if (medium === 'organic') return came ? ORGANIC[came] : 'ORGANIC_SEARCH';
  if (medium !== '' && !LINKING.test(medium)) return 'OTHER';
  if (trigger === 'qr') return 'QR';
  if (came) return ORGANIC[came];
  if (referrer !== '' || medium !== '') return 'REFERRAL';
  return source === '' ? 'DIRECT' : 'OTHER';
}

function channelOfMedium(medium: string): Channel | undefined {
  return medium === '' ? undefined : MEDIA.find(([pattern]) => pattern.test(medium))?.[1];
}

function paidChannel(medium: string, site: Site | undefined): Channel {
  if (/social/.test(medium)) return 'PAID_SOCIAL';
  if (/search|^sem$/.test(medium)) return 'PAID_SEARCH';
  if (/video/.test(medium)) return 'PAID_VIDEO';
  if (/shop/.test(medium)) return 'PAID_SHOPPING';
  if (/display|banner|expandable|interstitial/.test(medium)) return 'DISPLAY';
  if (site) return PAID[site];
  return medium === 'cpm' ? 'DISPLAY' : 'PAID_OTHER';
}

/** The few sources that are no sites. */
function channelOfSource(source: string): Channel | undefined {
  if (source === 'sms') return 'SMS';
  if (source === 'firebase') return 'PUSH';
  return /^qr(?:-?codes?)?$/.test(source) ? 'QR' : undefined;
}

function plain(tag: string): string {
  const text = tag
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return NOTHING.test(text) ? '' : text;
}
