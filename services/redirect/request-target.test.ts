import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOf, soleHost } from './request-target.js';

test.each([
  ['/Abc-_9', 'Abc-_9'],
  ['/abc/', 'abc'],
  ['/abc?x=/../y', 'abc'],
  ['/abc/?x', 'abc'],
  ['/abc?', 'abc'],
  ['/%61bc', 'abc'],
  [`/${'a'.repeat(64)}`, 'a'.repeat(64)],
])('%s names the code %s', (target, code) => {
  expect(codeOf(target)).toBe(code);
});

test.each([
  '',
  '*',
  '/',
  '//',
  '/?abc',
  'abc',
  '//evil.example/x',
  '//evil',
  '/\\evil.example/x',
  '/\\evil',
  '\\evil',
  'http://evil.example/abc',
  'http://localhost/abc',
  'evil.example:443',
  '/https://evil.example/',
  '/abc//',
  '/abc/def',
  '/abc/..',
  '/../abc',
  '/./abc',
  '/%2e%2e',
  '/%2f%2fevil.example/',
  '/%2Fabc',
  '/abc%2F',
  '/%5cevil',
  '/%2561bc',
  '/%zz',
  '/%',
  '/abc%0d%0a',
  '/abc%00',
  '/abc#def',
  '/abc;x=1',
  '/abc def',
  '/äbc',
  '/%C3%A4bc',
  '/favicon.ico',
  '/robots.txt',
  `/${'a'.repeat(65)}`,
])('%s names no code', (target) => {
  expect(codeOf(target)).toBeUndefined();
});

test('whatever the target, a code is only letters, digits, - and _', () => {
  const parts = fc.constantFrom('/', '\\', '%', '2f', '?', '#', '..', ':', '@', 'a', 'Z9', '-', '%61', '\0', 'é');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (some) => {
      expect(codeOf(some.join('')) ?? 'none').toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }),
    { numRuns: 2_000 },
  );
});

test('the host counts only where there is one', () => {
  expect(soleHost(['Accept', '*/*', 'HOST', 'a.example'])).toBe('a.example');
  expect(soleHost(['Accept', 'host'])).toBeUndefined();
  expect(soleHost(['Host', 'a.example', 'host', 'a.example'])).toBeUndefined();
});
