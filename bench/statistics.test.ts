import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, percentile, sameRoundDifference, sameRoundRatio, spread } from './statistics.js';

const VALUES = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 });

describe('statistics', () => {
  it('a median has as many values below it as above, in whatever order they came', () => {
    fc.assert(
      fc.property(VALUES, (values) => {
        const middle = median(values);
        const below = values.filter((value) => value < middle).length;
        const above = values.filter((value) => value > middle).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
        expect(median([...values].reverse())).toBe(middle);
      }),
    );
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });

  it('a ratio is of the same round, so that a slow round changes nothing', () => {
    expect(sameRoundRatio([50, 5, 40], [100, 10, 80])).toBe(0.5);
    expect(sameRoundDifference([30, 31, 35], [20, 22, 24])).toEqual([10, 9, 11]);
    expect(() => sameRoundRatio([1], [1, 2])).toThrow('no rounds in common');
  });

  it('a spread shows the extremes beside the median', () => {
    expect(spread([3, 1, 2], 1)).toBe('2.0 (1.0 to 3.0)');
  });
});

it('a percentile is the smallest value that so many do not exceed', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([0.5, 0.95, 1].map((share) => percentile(values, share))).toEqual([50, 95, 100]);
  expect(percentile([7], 0.95)).toBe(7);
});
