import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS, bucketOf, bucketOfId, composeLinkId, formatLinkId, ID_EPOCH_MS, parseLinkId } from './link-id.js';

const parts = fc.record({
  ms: fc.integer({ min: ID_EPOCH_MS, max: ID_EPOCH_MS + 2 ** 41 - 1 }),
  bucket: fc.integer({ min: 0, max: 1023 }),
  worker: fc.integer({ min: 0, max: 127 }),
  sequence: fc.integer({ min: 0, max: 31 }),
});

describe('link ids', () => {
  it('are read back from what is shown, and name their bucket', () => {
    fc.assert(
      fc.property(parts, (each) => {
        const id = composeLinkId(each);
        expect(parseLinkId(formatLinkId(id))).toBe(id);
        expect(bucketOfId(id)).toBe(each.bucket);
      }),
    );
  });

  it('differ when any part differs, and sort by time, as number and as text', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const [x, y] = [composeLinkId(a), composeLinkId(b)];
        expect(x === y).toBe(JSON.stringify(a) === JSON.stringify(b));
        if (a.ms < b.ms) {
          expect(x < y).toBe(true);
          expect(formatLinkId(x) < formatLinkId(y)).toBe(true);
        }
      }),
    );
  });

  it('are not read from anything but their exact form', () => {
    const shown = formatLinkId(composeLinkId({ ms: Date.UTC(2026, 1), bucket: 5, worker: 3, sequence: 1 }));
    for (const bad of [shown.toLowerCase(), shown.slice(0, -1), `${shown}0`, shown.replace('lnk_', ''), '', 'lnk_']) {
      expect(parseLinkId(bad)).toBeUndefined();
    }
    expect(parseLinkId('lnk_8ZZZZZZZZZZZZ')).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = parseLinkId(text);
        if (id !== undefined) expect(formatLinkId(id)).toBe(text);
      }),
    );
  });

  it('spread evenly over the buckets, also when one group has all the links', () => {
    const counts = new Array<number>(BUCKETS).fill(0);
    const links = 200_000;
    for (let i = 0; i < links; i++) counts[bucketOf('grp_1', `code${i}`)]!++;
    const mean = links / BUCKETS;
    // Poisson with mean 195: the largest of 1,024 stays below 1.35 of it.
    expect(Math.max(...counts) / mean).toBeLessThan(1.35);
    expect(Math.min(...counts) / mean).toBeGreaterThan(0.65);
  });
});
