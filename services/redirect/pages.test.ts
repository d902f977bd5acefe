import { expect, test } from 'vitest';
import { decisionAnswer, pageAnswer } from './answers.js';
import { bestLanguage, type Language, type PageName } from './pages.js';

const PAGES: [PageName, number][] = [
  ['bad-request', 400],
  ['blocked', 403],
  ['not-found', 404],
  ['method-not-allowed', 405],
  ['gone', 410],
  ['unknown-host', 421],
  ['unavailable', 503],
];

test.each(PAGES)('the page %s is small, strict and has its status in both languages', (name, status) => {
  for (const language of ['en', 'zh'] satisfies Language[]) {
    const { status: given, headers, body } = pageAnswer(name, language);
    expect(given).toBe(status);
    expect(body?.length).toBeLessThan(2_048);
    expect(body?.toString()).toContain(`<html lang="${language}">`);
    expect(body?.toString()).not.toMatch(/<script|<link|<img|src=|url\(|https?:/i);
    expect(headers.filter((part) => part === 'Content-Length')).toHaveLength(1);
    const policy = headers[headers.indexOf('Content-Security-Policy') + 1];
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  }
});

test('the fallback says when to come back, the refusal of a method which are taken', () => {
  expect(pageAnswer('unavailable', 'en').headers.join('|')).toContain('Retry-After|2');
  expect(pageAnswer('method-not-allowed', 'en').headers.join('|')).toContain('Allow|GET, HEAD');
});

test('the interstitial shows the host of the target and leads there by one escaped link', () => {
  const targetUrl = `https://bank.example/"><script>alert('x')</script>&a=<b>`;
  const { status, headers, body } = decisionAnswer({ kind: 'warn', targetUrl }, 'zh-CN');
  const text = body?.toString() ?? '';
  expect(status).toBe(200);
  expect(headers.join('|')).not.toContain('Location');
  expect(text).toContain('<b>bank.example</b>');
  expect(text.match(/<a /g)).toHaveLength(1);
  expect(text).toContain('rel="noreferrer noopener"');
  expect(text).not.toContain('<script');
  const href = /href="([^"]*)"/.exec(text)?.[1] ?? '';
  expect(href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(targetUrl);
});

test.each<[string | undefined, Language]>([
  [undefined, 'en'],
  ['', 'en'],
  ['fr-FR, de;q=0.5', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en-GB, zh;q=0.9', 'en'],
  ['en;q=0.3, ZH-Hant-TW;q=0.7', 'zh'],
  ['zh;q=0, en', 'en'],
  ['zh;q=0', 'en'],
  ['fr, zh;q=abc, *;q=0.1', 'zh'],
  [`${'fr,'.repeat(5_000)}zh`, 'en'],
])('Accept-Language %j gets %s', (header, language) => {
  expect(bestLanguage(header)).toBe(language);
});
