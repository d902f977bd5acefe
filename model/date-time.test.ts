import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateTime } from './date-time.js';

describe('RFC 3339 date-times', () => {
  it('are read in UTC, with an offset, with and without fractions', () => {
    const cases: Record<string, string> = {
      '2027-01-01T00:00:00.123Z': '2027-01-01T00:00:00.123Z',
      '2027-01-01T00:00:00Z': '2027-01-01T00:00:00.000Z',
      '2027-01-01t00:00:00z': '2027-01-01T00:00:00.000Z',
      '2027-01-01T08:00:00+08:00': '2027-01-01T00:00:00.000Z',
      '2027-01-01T00:00:00-00:00': '2027-01-01T00:00:00.000Z',
      '2026-12-31T18:30:00.5-05:30': '2027-01-01T00:00:00.500Z',
      '2027-01-01T00:00:00.123456789Z': '2027-01-01T00:00:00.123Z',
      '2028-02-29T00:00:00Z': '2028-02-29T00:00:00.000Z',
      '2026-12-31T23:59:60Z': '2027-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59Z': '9999-12-31T23:59:59.000Z',
    };
    for (const [text, expected] of Object.entries(cases)) expect(parseDateTime(text)?.toISOString()).toBe(expected);
  });

  it('are refused when no calendar has them, never rolled over', () => {
    const bad = [
      '2027-02-30T00:00:00Z',
      '2027-02-29T00:00:00Z',
      '2027-13-01T00:00:00Z',
      '2027-00-10T00:00:00Z',
      '2027-01-01T24:00:00Z',
      '2027-01-01T00:60:00Z',
      '2027-01-01T00:00:00+24:00',
      '2027-01-01',
      '2027-01-01T00:00:00',
      '2027-01-01T00:00Z',
      '10000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:60Z',
      '0000-01-01T00:00:00+00:01',
      '1735689600',
      'tomorrow',
      ' 2027-01-01T00:00:00Z',
      '',
    ];
    for (const text of bad) expect(parseDateTime(text)).toBeUndefined();
  });

  it('read back every instant that a Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseDateTime(date.toISOString())?.getTime()).toBe(date.getTime());
        },
      ),
    );
  });
});
