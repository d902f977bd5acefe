import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RiskVerdict } from '../../model/link-status.js';
import type { LinkSnapshot, RedirectType } from '../../model/snapshot.js';
import { type Decision, decide, hold, NO_LINK } from './decision.js';

const NOW = Date.UTC(2030, 0, 1);
const TARGET = 'https://target.example/path?q=1#part';

function snapshot(fields: Partial<LinkSnapshot> = {}): LinkSnapshot {
  return {
    linkId: 'lnk_0000000000001',
    tenantId: 'ten_1',
    rev: 1,
    version: 1,
    targetUrl: TARGET,
    redirectType: 302,
    risk: 'ALLOW',
    disabled: false,
    ...fields,
  };
}

function decisionFor(fields: Partial<LinkSnapshot>): Decision {
  return decide(hold(snapshot(fields)), NOW);
}

test.each<[string, Partial<LinkSnapshot>, Decision['kind']]>([
  ['an active link redirects', {}, 'redirect'],
  ['a link redirects from the instant at which it takes effect', { effectiveAt: NOW }, 'redirect'],
  ['a link redirects until the instant at which it expires', { expiresAt: NOW + 1 }, 'redirect'],
  ['a scheduled link is not found', { effectiveAt: NOW + 1 }, 'not-found'],
  ['an expired link is gone', { expiresAt: NOW }, 'gone'],
  ['a disabled link is not found', { disabled: true }, 'not-found'],
  ['a link that was never judged is not found', { risk: 'PENDING' }, 'not-found'],
  ['a link under review is not found', { risk: 'REVIEW' }, 'not-found'],
  ['a blocked link says so', { risk: 'BLOCK' }, 'blocked'],
  ['a blocked link says so although it is disabled', { risk: 'BLOCK', disabled: true }, 'blocked'],
  ['a disabled link is not found although it has expired', { disabled: true, expiresAt: NOW }, 'not-found'],
  ['an expired link is gone although its target is doubtful', { risk: 'WARN', expiresAt: NOW }, 'gone'],
  ['a doubtful target is shown first', { risk: 'WARN' }, 'warn'],
  ['a permanent link with a doubtful target is shown first', { risk: 'WARN', redirectType: 301 }, 'warn'],
  ['a target with a line break goes nowhere', { targetUrl: 'https://a.example/\r\nX: 1' }, 'blocked'],
  ['a target with a raw byte above ASCII goes nowhere', { targetUrl: 'https://a.example/é' }, 'blocked'],
  ['a target that is a script goes nowhere', { targetUrl: 'javascript:alert(1)' }, 'blocked'],
  ['a redirect type that is none goes nowhere', { redirectType: 200 as RedirectType }, 'blocked'],
])('%s', (_, fields, kind) => {
  expect(decisionFor(fields).kind).toBe(kind);
});

test('a code without a link is not found', () => {
  expect(decide(NO_LINK, NOW)).toEqual({ kind: 'not-found' });
});

test.each([302, 307] as const)('a %i is never stored, so that each visit asks', (redirectType) => {
  expect(headersOf(decisionFor({ redirectType }))).toEqual({
    Location: TARGET,
    'Cache-Control': 'no-store, no-cache, must-revalidate, max-age=0',
    Pragma: 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer-when-downgrade',
    'Content-Length': '0',
  });
});

test.each([301, 308] as const)('a %i is stored for 90 s by the visitor alone', (redirectType) => {
  const headers = headersOf(decisionFor({ redirectType }));
  expect(headers).toMatchObject({ Location: TARGET, 'Cache-Control': 'private, max-age=90' });
  expect(headers).not.toHaveProperty('Pragma');
});

test('only an active link yields its target, whatever its other fields say', () => {
  const instant = fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 }), { nil: undefined });
  const fields = fc.record({
    risk: fc.constantFrom<RiskVerdict>('PENDING', 'ALLOW', 'REVIEW', 'WARN', 'BLOCK'),
    redirectType: fc.constantFrom<RedirectType>(301, 302, 307, 308),
    disabled: fc.boolean(),
    effectiveAt: instant,
    expiresAt: instant,
  });
  fc.assert(
    fc.property(fields, (link) => {
      const served =
        (link.risk === 'ALLOW' || link.risk === 'WARN') &&
        !link.disabled &&
        (link.effectiveAt === undefined || link.effectiveAt <= NOW) &&
        (link.expiresAt === undefined || link.expiresAt > NOW);
      const decision = decisionFor(link);
      expect(JSON.stringify(decision).includes(TARGET)).toBe(served);
      expect(decision.kind === 'redirect').toBe(served && link.risk === 'ALLOW');
    }),
    { numRuns: 1_000 },
  );
});

function headersOf(decision: Decision): Record<string, string> {
  if (decision.kind !== 'redirect') throw new Error(decision.kind);
  const pairs = decision.headers.flatMap((name, i) => (i % 2 === 0 ? [[name, decision.headers[i + 1]]] : []));
  return Object.fromEntries(pairs) as Record<string, string>;
}
