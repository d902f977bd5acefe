import { expect, test } from 'vitest';
import { isFromQr, readVisitHeaders } from './visit.js';

test.each([
  ['Sec-Purpose', 'prefetch', true],
  ['sec-purpose', 'prefetch;prerender;anonymous-client-ip', true],
  ['Sec-Purpose', 'navigate', false],
  ['Purpose', 'prefetch', true],
  ['Purpose', 'preview', false],
  ['X-Moz', 'prefetch', true],
  ['X-Purpose', 'preview', true],
  ['X-Purpose', 'prefetch', false],
  ['X-Other', 'prefetch', false],
])('%s: %s is a prefetch: %s', (name, value, prefetch) => {
  expect(readVisitHeaders([name, value]).prefetch).toBe(prefetch);
});

test.each([
  ['Sec-GPC', '1', true],
  ['DNT', '1', true],
  ['dnt', '0', false],
  ['Sec-GPC', '?1', false],
])('%s: %s asks not to be recognised: %s', (name, value, unrecognised) => {
  expect(readVisitHeaders([name, value]).unrecognised).toBe(unrecognised);
});

test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
  ['en;q=0.5', 'en'],
  [' de-CH-1996 , fr', 'de-CH-1996'],
  ['*', ''],
  ['', ''],
  ['<script>', ''],
])('of Accept-Language "%s" the first is "%s"', (value, language) => {
  expect(readVisitHeaders(['Accept-Language', value]).language).toBe(language);
});

test('user agent and referrer are cut, the first of two counts, every X-Forwarded-For is kept', () => {
  const long = 'x'.repeat(5_000);
  const read = readVisitHeaders(
    ['User-Agent', long, 'User-Agent', 'b', 'REFERER', long].concat([
      'X-Forwarded-For',
      '1.1.1.1',
      'x-forwarded-for',
      '2.2.2.2',
    ]),
  );
  expect([read.userAgent.length, read.referrer.length]).toEqual([1_000, 1_000]);
  expect(read.forwardedFor).toEqual(['1.1.1.1', '2.2.2.2']);
});

test.each([
  ['/a?qr=1', true],
  ['/a?b=2&qr=1&c=3', true],
  ['/a?qr=10', false],
  ['/a?xqr=1', false],
  ['/qr=1', false],
  ['/a', false],
])('%s is of a QR code: %s', (url, qr) => {
  expect(isFromQr(url)).toBe(qr);
});
