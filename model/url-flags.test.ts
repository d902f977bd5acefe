import { describe, expect, it } from 'vitest';
import { isOpenRedirector } from './open-redirectors.js';
import { isPublicName } from './special-names.js';
import { contentFlags } from './url-flags.js';

function flags(rest: string): string {
  return contentFlags(new URL(`https://example.com${rest}`)).join(' ');
}

describe('contentFlags', () => {
  it.each([
    ['/?u=https://a.example', 'embedded_url'],
    ['/?u=https%3A%2F%2Fa.example', 'embedded_url'],
    ['/?u=https%253A%252F%252Fa.example', 'embedded_url'],
    ['/?u=//a.example', 'embedded_url'],
    ['/?u=%5C%5Ca.example', 'embedded_url'],
    ['/?u=javascript:alert(1)', 'embedded_url'],
    ['/r/aHR0cHM6Ly9hLmV4YW1wbGU', 'embedded_url'],
    ['/#/?u=http:/a.example', 'embedded_url'],
    ['/%00', 'suspicious_encoding'],
    ['/%C2%85', 'suspicious_encoding'],
    ['/a%250d%250aX:%201', 'suspicious_encoding'],
    ['/?q=%250a', 'suspicious_encoding'],
    ['/?q=%0D%0ASet-Cookie:%20a=b', 'suspicious_encoding'],
    ['/%c0%ae%c0%ae/', 'suspicious_encoding'],
    ['/%u002e', 'suspicious_encoding'],
    ['/\u202egnp.exe', 'bidi_in_path'],
    ['/?f=%E2%81%A6x', 'bidi_in_path'],
    ['/#%25E2%2580%258F', 'bidi_in_path'],
    ['/%FF%E2%80%AE', 'bidi_in_path'],
  ])('%s is flagged %s', (rest, flag) => {
    expect(flags(rest)).toBe(flag);
  });

  it.each([
    '/a//b',
    '/%zz%1',
    '/%2525?x=%252F',
    '/?text=Hello%0D%0Aworld%09!',
    '/?q=%C4%E3',
    '/中文?键=值',
    '/?a=https',
  ])('%s is an ordinary path and has no flag', (rest) => {
    expect(flags(rest)).toBe('');
  });
});

describe('isOpenRedirector', () => {
  it.each([
    'https://www.google.co.uk/url?sa=t&url=https://a.example',
    'https://google.com/amp/s/a.example/x',
    'https://l.facebook.com./l.php?u=https%3A%2F%2Fa.example',
    'https://www.youtube.com/redirect?q=a.example',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example',
    'https://href.li/?https://a.example',
  ])('%s sends its visitor to an address of its own query', (url) => {
    expect(isOpenRedirector(new URL(url))).toBe(true);
  });

  it.each([
    'https://www.google.com/search?q=a',
    'https://www.google.com/url',
    'https://notgoogle.com/url?q=a',
    'https://google.com.evil.example/url?q=a',
    'https://href.li/',
  ])('%s does not', (url) => {
    expect(isOpenRedirector(new URL(url))).toBe(false);
  });
});

describe('isPublicName', () => {
  it.each([
    ...['localhost', 'a.localhost', 'a.invalid', 'a.local', 'a.internal', 'a.onion', 'a.alt', 'x.home.arpa', 'b.arpa'],
    ...[
      'a.lan',
      'a.home',
      'a.corp',
      'a.mail',
      'a.intranet',
      'a.private',
      'a.localdomain',
      'a.b.svc',
      'a.svc.cluster.local',
    ],
    ...[
      'kubernetes.default',
      'db.kube-system',
      'node.k8s',
      'metadata',
      'metadata.goog',
      'metadata.tencentyun.com',
      'intranet',
    ],
  ])('%s is not served by the public DNS', (host) => {
    expect(isPublicName(host)).toBe(false);
  });

  it.each([
    'example.com',
    'a.example',
    'a.test',
    'mail.example.com',
    'local.example',
    'a.notlocal.com',
    'xn--e1afmkfd.xn--p1ai',
  ])('%s may be', (host) => {
    expect(isPublicName(host)).toBe(true);
  });
});
