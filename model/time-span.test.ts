import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comparison, comparedSpan, PRESETS, type Preset, presetSpan, type TimeSpan } from './time-span.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ZONES = [
  ...[
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  ],
  ...['America/Havana', 'Asia/Beirut', 'America/Sao_Paulo', 'Africa/Cairo', 'America/St_Johns', 'Antarctica/Troll'],
];

/** A span as two texts in UTC, to the minute. */
function text({ from, to }: { from: number | undefined; to: number }): string {
  return [from ?? Number.NaN, to].map((edge) => new Date(edge).toISOString().slice(0, 16)).join(' ');
}

function span(edges: string): TimeSpan {
  const [from = '', to = ''] = edges.split(' ');
  return { from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) };
}

function preset(name: Preset, now: string, zone: string): TimeSpan {
  const { from, to } = presetSpan(name, Date.parse(`${now}Z`), zone);
  return { from: from!, to };
}

describe('presets', () => {
  it.each([
    ['LAST_60_MIN', 'Europe/Berlin', '2025-10-26T01:20', '2025-10-26T00:20 2025-10-26T01:20'],
    ['LAST_24H', 'Europe/Berlin', '2025-10-26T12:00', '2025-10-25T12:00 2025-10-26T12:00'],
    ['LAST_7D', 'Europe/Berlin', '2025-03-31T12:00', '2025-03-24T12:00 2025-03-31T12:00'],
    ['LAST_30D', 'UTC', '2024-03-15T12:00', '2024-02-14T12:00 2024-03-15T12:00'],
    ['LAST_90D', 'UTC', '2024-03-31T12:00', '2024-01-01T12:00 2024-03-31T12:00'],
    ['TODAY', 'Europe/Berlin', '2025-03-30T12:30', '2025-03-29T23:00 2025-03-30T12:30'],
    ['TODAY', 'Asia/Kathmandu', '2025-03-30T18:20', '2025-03-30T18:15 2025-03-30T18:20'],
    ['TODAY', 'America/Sao_Paulo', '2018-11-04T12:00', '2018-11-04T03:00 2018-11-04T12:00'],
    ['YESTERDAY', 'Europe/Berlin', '2025-03-31T12:30', '2025-03-29T23:00 2025-03-30T22:00'],
    ['YESTERDAY', 'Asia/Beirut', '2022-10-30T12:00', '2022-10-28T21:00 2022-10-29T22:00'],
    // Before 31 December was the 29th.
    ['YESTERDAY', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-29T10:00 2011-12-30T10:00'],
    ['THIS_MONTH', 'America/New_York', '2025-03-31T12:30', '2025-03-01T05:00 2025-03-31T12:30'],
    ['LAST_MONTH', 'America/New_York', '2025-03-31T12:30', '2025-02-01T05:00 2025-03-01T05:00'],
    ['LAST_MONTH', 'America/New_York', '2025-04-30T12:30', '2025-03-01T05:00 2025-04-01T04:00'],
    ['LAST_MONTH', 'Asia/Kolkata', '2024-12-31T18:30', '2024-11-30T18:30 2024-12-31T18:30'],
    ['YTD', 'Asia/Kolkata', '2025-06-30T12:00', '2024-12-31T18:30 2025-06-30T12:00'],
    ['YTD', 'Asia/Kolkata', '2024-12-31T19:00', '2024-12-31T18:30 2024-12-31T19:00'],
  ] as const)('%s in %s at %s is the span that its clock says', (name, zone, now, expected) => {
    expect(text(preset(name, now, zone))).toBe(expected);
  });

  it('of all time has no beginning', () => {
    expect(presetSpan('ALL', 5, 'UTC')).toEqual({ from: undefined, to: 5 });
  });

  it('are an error in an unknown zone', () => {
    for (const name of PRESETS) expect(() => presetSpan(name, 5, '+08:00')).toThrow(RangeError);
  });
});

describe('the previous period', () => {
  it.each([
    ['TODAY', 'Europe/Berlin', '2025-06-15T12:30', '2025-06-13T22:00 2025-06-14T12:30'],
    // The clock was changed in the night between, or in the one before.
    ['TODAY', 'Europe/Berlin', '2025-03-30T12:30', '2025-03-28T23:00 2025-03-29T13:30'],
    ['TODAY', 'Europe/Berlin', '2025-03-31T12:30', '2025-03-29T23:00 2025-03-30T12:30'],
    ['TODAY', 'Europe/Berlin', '2025-10-26T13:30', '2025-10-24T22:00 2025-10-25T12:30'],
    // Yesterday had no 02:30.
    ['TODAY', 'Europe/Berlin', '2025-03-31T00:30', '2025-03-29T23:00 2025-03-30T01:30'],
    // The second 00:30 of a day that began at the first 00:00.
    ['TODAY', 'America/Havana', '2025-11-02T05:30', '2025-11-01T04:00 2025-11-01T04:30'],
    // The second 00:00: nothing of yesterday is before its 00:00, so as long as today.
    ['TODAY', 'America/Havana', '2025-11-02T05:00', '2025-11-01T04:00 2025-11-01T05:00'],
    ['TODAY', 'Pacific/Apia', '2011-12-30T22:00', '2011-12-29T10:00 2011-12-29T22:00'],
    ['YESTERDAY', 'Europe/Berlin', '2025-03-31T12:30', '2025-03-28T23:00 2025-03-29T23:00'],
    ['YESTERDAY', 'Pacific/Apia', '2012-01-01T00:00', '2011-12-29T10:00 2011-12-30T10:00'],
    ['THIS_MONTH', 'Europe/Berlin', '2025-04-15T12:30', '2025-02-28T23:00 2025-03-15T13:30'],
    ['THIS_MONTH', 'Europe/Berlin', '2025-03-28T13:30', '2025-01-31T23:00 2025-02-28T13:30'],
    ['THIS_MONTH', 'Europe/Berlin', '2025-03-29T13:30', '2025-01-31T23:00 2025-02-28T23:00'],
    ['THIS_MONTH', 'Europe/Berlin', '2025-03-31T12:30', '2025-01-31T23:00 2025-02-28T23:00'],
    ['THIS_MONTH', 'UTC', '2025-01-31T12:30', '2024-12-01T00:00 2024-12-31T12:30'],
    ['LAST_MONTH', 'America/New_York', '2025-04-30T12:30', '2025-02-01T05:00 2025-03-01T05:00'],
    ['YTD', 'Europe/Berlin', '2025-06-15T12:30', '2023-12-31T23:00 2024-06-15T12:30'],
    ['YTD', 'UTC', '2024-02-29T12:30', '2023-01-01T00:00 2023-02-28T12:30'],
    ['LAST_24H', 'Europe/Berlin', '2025-03-30T12:00', '2025-03-28T12:00 2025-03-29T12:00'],
    ['LAST_7D', 'Europe/Berlin', '2025-03-31T12:00', '2025-03-17T12:00 2025-03-24T12:00'],
  ] as const)('of %s in %s at %s goes back by its own unit', (name, zone, now, expected) => {
    expect(text(comparedSpan(preset(name, now, zone), name, 'PREVIOUS_PERIOD', zone)!)).toBe(expected);
  });

  it('of an explicit span is as long and ends where that begins', () => {
    const explicit = span('2025-03-29T23:00 2025-03-30T22:00');
    const previous = comparedSpan(explicit, undefined, 'PREVIOUS_PERIOD', 'Europe/Berlin');
    expect(text(previous!)).toBe('2025-03-29T00:00 2025-03-29T23:00');
  });
});

describe('the same period last year', () => {
  it.each([
    ['Europe/Berlin', '2025-03-29T23:00 2025-03-30T22:00', '2024-03-29T23:00 2024-03-30T23:00'],
    ['Europe/Berlin', '2025-06-01T10:15 2025-06-03T11:45', '2024-06-01T10:15 2024-06-03T11:45'],
    ['Europe/Berlin', '2025-03-31T10:00 2025-10-25T10:00', '2024-03-31T10:00 2024-10-25T10:00'],
    ['Europe/Berlin', '2025-10-26T11:00 2025-10-27T11:00', '2024-10-26T10:00 2024-10-27T11:00'],
    ['UTC', '2024-02-29T06:00 2024-03-01T06:00', '2023-02-28T06:00 2023-03-01T06:00'],
    ['UTC', '2024-02-01T00:00 2024-02-29T06:00', '2023-02-01T00:00 2023-02-28T06:00'],
    // 28 February 12:00 to 06:00 of the same day would be inverted, and from 00:00 to 00:00 empty.
    ['UTC', '2024-02-28T12:00 2024-02-29T06:00', '2023-02-28T12:00 2023-03-01T06:00'],
    ['UTC', '2024-02-28T00:00 2024-02-29T00:00', '2023-02-28T00:00 2023-03-01T00:00'],
    // A day that starts at 01:00 is compared with a whole one, and the other way round.
    ['America/Sao_Paulo', '2018-11-04T03:00 2018-11-05T02:00', '2017-11-04T02:00 2017-11-05T02:00'],
    ['Africa/Cairo', '2025-04-25T22:00 2025-04-26T21:00', '2024-04-25T22:00 2024-04-26T21:00'],
    ['Pacific/Apia', '2012-12-29T10:00 2012-12-30T10:00', '2011-12-30T10:00 2011-12-31T10:00'],
    // 02:30 was skipped the year before, just where the span begins: it ends there too.
    ['Europe/Berlin', '2025-03-30T01:00 2026-03-30T00:30', '2024-03-30T02:00 2025-03-30T01:00'],
    ['UTC', '2024-03-01T00:00 2025-03-01T00:00', '2023-03-01T00:00 2024-03-01T00:00'],
    // Longer than a year: the two overlap.
    ['UTC', '2023-03-01T00:00 2025-03-01T00:00', '2022-03-01T00:00 2024-03-01T00:00'],
  ])('in %s of %s has both edges a year back', (zone, explicit, expected) => {
    expect(text(comparedSpan(span(explicit), undefined, 'SAME_PERIOD_LAST_YEAR', zone)!)).toBe(expected);
  });

  it('is a preset’s as well', () => {
    const month = preset('LAST_MONTH', '2025-04-30T12:30', 'America/New_York');
    const before = comparedSpan(month, 'LAST_MONTH', 'SAME_PERIOD_LAST_YEAR', 'America/New_York');
    expect(text(before!)).toBe('2024-03-01T05:00 2024-04-01T04:00');
  });
});

describe('what a span is compared with', () => {
  const comparison = fc.constantFrom<Comparison>('PREVIOUS_PERIOD', 'SAME_PERIOD_LAST_YEAR');
  const zone = fc.constantFrom(...ZONES);
  const instant = fc.oneof(
    fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }),
    fc.integer({ min: Date.UTC(2000, 0) / (HOUR / 4), max: Date.UTC(2040, 0) / (HOUR / 4) }).map((n) => n * (HOUR / 4)),
  );

  function expectBefore(compared: TimeSpan | undefined, { from }: TimeSpan): void {
    expect(compared!.from).toBeLessThan(compared!.to);
    expect(compared!.to).toBeLessThanOrEqual(from);
  }

  it('is never empty and never reaches into a preset’s span', () => {
    const presets = fc.constantFrom(...PRESETS.filter((name) => name !== 'ALL'));
    fc.assert(
      fc.property(presets, instant, zone, comparison, (name, now, timeZone, how) => {
        const { from, to } = presetSpan(name, now, timeZone) as TimeSpan;
        fc.pre(from < to);
        expectBefore(comparedSpan({ from, to }, name, how, timeZone), { from, to });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never empty and never reaches into an explicit span of less than a year', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 364 * DAY }), zone, comparison, (from, length, timeZone, how) => {
        const explicit = { from, to: from + length };
        expectBefore(comparedSpan(explicit, undefined, how, timeZone), explicit);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is nothing for NONE, for all time and for an empty span', () => {
    const some = { from: 5, to: 6 };
    expect(comparedSpan(some, 'TODAY', 'NONE', 'UTC')).toBeUndefined();
    for (const how of ['PREVIOUS_PERIOD', 'SAME_PERIOD_LAST_YEAR'] as const) {
      expect(comparedSpan(some, 'ALL', how, 'UTC')).toBeUndefined();
      for (const name of [...PRESETS, undefined]) {
        expect(comparedSpan({ from: 5, to: 5 }, name, how, 'UTC')).toBeUndefined();
      }
    }
  });
});
