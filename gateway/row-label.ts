import type { AnalyticsDimension } from '../gen/graphql.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
const DEVICES: Readonly<Record<string, string>> = {
  IOS: 'iPhone or iPad',
  ANDROID: 'Android',
  DESKTOP: 'Desktop',
  OTHER: 'Other device',
};

/** A value for people to read, in English. Links have short URLs instead. */
export function rowLabel(dimension: AnalyticsDimension, key: string): string {
  switch (dimension) {
    case 'COUNTRY':
      return named(COUNTRIES, key);
    case 'LANGUAGE':
      return named(LANGUAGES, key);
    case 'DEVICE':
      return DEVICES[key] ?? key;
    case 'TARGET_VERSION':
      return `Version ${key}`;
    case 'TRAFFIC_CLASS':
      return key === 'HEAD' ? 'HEAD requests' : sentence(key);
    case 'CHANNEL':
      return sentence(key);
    case 'TRIGGER':
      return key === 'QR' ? 'QR code' : 'Link';
    default:
      return key;
  }
}

/** `PAID_SEARCH` → `Paid search`. */
function sentence(key: string): string {
  return key === 'SMS' || key === 'QR' ? key : key.charAt(0) + key.slice(1).toLowerCase().replaceAll('_', ' ');
}

/** Intl throws for what only looks like a code. */
function named(names: Intl.DisplayNames, key: string): string {
  try {
    return names.of(key) ?? key;
  } catch {
    return key;
  }
}
