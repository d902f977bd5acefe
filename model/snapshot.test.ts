import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkStatus } from './link-status.js';
import { decodeSnapshot, encodeSnapshot, type LinkSnapshot, NO_LINK_BODY, snapshotLifeMs } from './snapshot.js';

const time = fc.option(fc.integer({ min: 0, max: 2 ** 42 }), { nil: undefined });
const snapshots: fc.Arbitrary<LinkSnapshot> = fc.record({
  linkId: fc.constant('lnk_0APRSMKF933J0'),
  tenantId: fc.constant('ten_1'),
  rev: fc.integer({ min: 1 }),
  version: fc.integer({ min: 1 }),
  targetUrl: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  redirectType: fc.constantFrom(301, 302, 307, 308),
  risk: fc.constantFrom('PENDING', 'ALLOW', 'REVIEW', 'WARN', 'BLOCK'),
  disabled: fc.boolean(),
  effectiveAt: time,
  expiresAt: time,
});

describe('snapshots in Redis', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(snapshots, (each) => {
        expect(decodeSnapshot(each.rev, encodeSnapshot(each))).toEqual(each);
      }),
    );
  });

  it('that cannot be read count as absent, never as a fault', () => {
    for (const body of ['', NO_LINK_BODY, '{', 'null', '[', '[1']) expect(decodeSnapshot(1, body)).toBeUndefined();
  });

  it('never outlive the expiry of their link by more than a minute', () => {
    fc.assert(
      fc.property(snapshots, fc.integer({ min: 0, max: 2 ** 42 }), (each, now) => {
        const life = snapshotLifeMs(each, now);
        expect(life).toBeGreaterThan(0);
        if (each.expiresAt !== undefined) expect(life).toBeLessThanOrEqual(Math.max(60_000, each.expiresAt - now));
        else expect(life).toBeGreaterThanOrEqual(3_600_000);
      }),
    );
  });
});

describe('the status that is shown', () => {
  const base = { risk: 'ALLOW' as const, disabled: false };

  it('follows the precedence of decisions 15', () => {
    expect(linkStatus({ risk: 'BLOCK', disabled: true, expiresAt: 1 }, 2)).toBe('BLOCKED');
    expect(linkStatus({ risk: 'REVIEW', disabled: true, expiresAt: 1 }, 2)).toBe('PENDING_REVIEW');
    expect(linkStatus({ ...base, disabled: true, expiresAt: 1 }, 2)).toBe('DISABLED');
    expect(linkStatus({ ...base, effectiveAt: 5, expiresAt: 1 }, 2)).toBe('EXPIRED');
    expect(linkStatus({ ...base, effectiveAt: 5 }, 2)).toBe('SCHEDULED');
    expect(linkStatus({ risk: 'WARN', disabled: false }, 2)).toBe('ACTIVE');
  });

  it('changes exactly at the moment that is named', () => {
    expect(linkStatus({ ...base, effectiveAt: 10, expiresAt: 20 }, 9)).toBe('SCHEDULED');
    expect(linkStatus({ ...base, effectiveAt: 10, expiresAt: 20 }, 10)).toBe('ACTIVE');
    expect(linkStatus({ ...base, effectiveAt: 10, expiresAt: 20 }, 19)).toBe('ACTIVE');
    expect(linkStatus({ ...base, effectiveAt: 10, expiresAt: 20 }, 20)).toBe('EXPIRED');
  });
});
