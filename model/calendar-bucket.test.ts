import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { type BucketRule, calendarBuckets, GRANULARITIES, type Granularity, WEEKDAYS } from './calendar-bucket.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUARTER = HOUR / 4;

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
  ...['America/Havana', 'Asia/Beirut', 'America/Sao_Paulo', 'Africa/Cairo', 'Africa/Casablanca', 'Pacific/Chatham'],
  ...['Antarctica/Troll', 'Antarctica/Casey', 'Asia/Gaza', 'Asia/Pyongyang', 'America/Caracas', 'Atlantic/Azores'],
];
/** Until 2011 its clock was set back at 00:01, from one day into the day before. */
const BACK_OVER_MIDNIGHT = 'America/St_Johns';

function edges(
  from: string,
  to: string,
  granularity: Granularity,
  timeZone: string,
  weekStart = WEEKDAYS[0],
): string[] {
  const span = { from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) };
  const buckets = calendarBuckets(span, { granularity, timeZone, weekStart }, 1_000)!;
  return [buckets[0]!.start, ...buckets.map(({ end }) => end)].map((edge) => new Date(edge).toISOString().slice(0, 16));
}

const bucketRule = fc.record<BucketRule>({
  granularity: fc.constantFrom(...GRANULARITIES),
  timeZone: fc.constantFrom(...ZONES, BACK_OVER_MIDNIGHT),
  weekStart: fc.constantFrom(...WEEKDAYS),
});

/** A rule and a span of up to some hundred buckets of it, between 2000 and 2040. */
function ruleAndSpan(rules: fc.Arbitrary<BucketRule> = bucketRule) {
  const about: Record<Granularity, number> = { QUARTER_HOUR: QUARTER, HOUR, DAY, WEEK: 7 * DAY, MONTH: 30 * DAY };
  return fc
    .tuple(
      rules,
      fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2040, 0) }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(([rule, from, share]) => ({
      rule,
      span: { from, to: from + 1 + Math.floor(share * 300 * about[rule.granularity]) },
    }));
}

function of(granularity: Granularity): fc.Arbitrary<BucketRule> {
  return bucketRule.map((rule) => ({ ...rule, granularity }));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the runtime's own formatter shows at an instant: an independent witness. */
function shown(instant: number, timeZone: string): { date: string; time: string; offset: number } {
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv', options);
  clocks.set(timeZone, clock);
  const [date = '', time = ''] = clock.format(instant).split(' ');
  return { date, time, offset: Date.parse(`${date}T${time}Z`) - Math.floor(instant / 1_000) * 1_000 };
}

function isTransition(instant: number, timeZone: string): boolean {
  return shown(instant, timeZone).offset !== shown(instant - 1, timeZone).offset;
}

describe('days', () => {
  it.each([
    ['UTC', '2025-06-01T12:00', '2025-06-01T00:00', '2025-06-02T00:00'],
    ['Europe/Berlin', '2025-03-30T12:00', '2025-03-29T23:00', '2025-03-30T22:00'],
    ['Europe/Berlin', '2025-10-26T12:00', '2025-10-25T22:00', '2025-10-26T23:00'],
    ['America/New_York', '2025-03-09T12:00', '2025-03-09T05:00', '2025-03-10T04:00'],
    ['America/New_York', '2025-11-02T12:00', '2025-11-02T04:00', '2025-11-03T05:00'],
    ['Asia/Kolkata', '2025-06-01T12:00', '2025-05-31T18:30', '2025-06-01T18:30'],
    ['Asia/Kathmandu', '2025-06-01T12:00', '2025-05-31T18:15', '2025-06-01T18:15'],
    ['Australia/Lord_Howe', '2025-04-06T12:00', '2025-04-05T13:00', '2025-04-06T13:30'],
    ['Australia/Lord_Howe', '2025-10-05T12:00', '2025-10-04T13:30', '2025-10-05T13:00'],
    // 30 December 2011 was skipped.
    ['Pacific/Apia', '2011-12-30T09:59', '2011-12-29T10:00', '2011-12-30T10:00'],
    ['Pacific/Apia', '2011-12-30T10:00', '2011-12-30T10:00', '2011-12-31T10:00'],
    // No midnight: 00:00 is 01:00.
    ['America/Havana', '2025-03-09T12:00', '2025-03-09T05:00', '2025-03-10T04:00'],
    ['Asia/Beirut', '2022-03-27T12:00', '2022-03-26T22:00', '2022-03-27T21:00'],
    ['America/Sao_Paulo', '2018-11-04T12:00', '2018-11-04T03:00', '2018-11-05T02:00'],
    ['Africa/Cairo', '2024-04-26T12:00', '2024-04-25T22:00', '2024-04-26T21:00'],
    // Two midnights: 01:00 is 00:00 again.
    ['America/Havana', '2025-11-02T12:00', '2025-11-02T04:00', '2025-11-03T05:00'],
    // 24:00 is 23:00 again.
    ['Asia/Beirut', '2022-10-29T21:30', '2022-10-28T21:00', '2022-10-29T22:00'],
    ['America/Sao_Paulo', '2018-02-18T02:30', '2018-02-17T02:00', '2018-02-18T03:00'],
    ['Africa/Cairo', '2024-10-31T21:30', '2024-10-30T21:00', '2024-10-31T22:00'],
    // 00:01 is 23:01 of the day before: what it repeats stays with the day that had begun.
    [BACK_OVER_MIDNIGHT, '2010-11-07T02:29', '2010-11-06T02:30', '2010-11-07T02:30'],
    [BACK_OVER_MIDNIGHT, '2010-11-07T03:00', '2010-11-07T02:30', '2010-11-08T03:30'],
  ])('of %s at %s are those of its clock', (zone, at, start, end) => {
    expect(edges(at, `${at}:00.001`, 'DAY', zone)).toEqual([start, end]);
  });

  it('are the dates that the formatter of the runtime shows', () => {
    const rules = of('DAY').map((rule) => (rule.timeZone === BACK_OVER_MIDNIGHT ? { ...rule, timeZone: 'UTC' } : rule));
    fc.assert(
      fc.property(ruleAndSpan(rules), ({ rule, span }) => {
        for (const { start, end } of calendarBuckets(span, rule, 1_000)!) {
          const { date } = shown(start, rule.timeZone);
          expect(shown(start - 1, rule.timeZone).date < date).toBe(true);
          for (const within of [start + HOUR, (start + end) / 2, end - HOUR, end - 1]) {
            expect(shown(within, rule.timeZone).date).toBe(date);
          }
        }
      }),
    );
  });

  it('start when Temporal has them start, in every zone of the runtime', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(
        ruleAndSpan(fc.tuple(of('DAY'), zone).map(([rule, timeZone]) => ({ ...rule, timeZone }))),
        ({ rule, span }) => {
          for (const { start, end } of calendarBuckets(span, rule, 1_000)!) {
            const clock = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(rule.timeZone);
            expect(clock.startOfDay().epochMilliseconds).toBe(start);
            const last = clock.toPlainDate().add({ days: 1 }).toZonedDateTime(rule.timeZone);
            const skipped = last.add({ days: 1 }).startOfDay();
            expect([last.epochMilliseconds, skipped.epochMilliseconds]).toContain(end);
          }
        },
      ),
    );
  });
});

describe('a skipped day', () => {
  it('has no bucket', () => {
    const days = ['2011-12-28T10:00', '2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00'];
    expect(edges('2011-12-28T10:00', '2011-12-31T10:00', 'DAY', 'Pacific/Apia')).toEqual(days);
  });
});

describe('weeks and months', () => {
  it.each([
    ['WEEK', 'Europe/Berlin', '2025-03-30T12:00', 'MONDAY', '2025-03-23T23:00', '2025-03-30T22:00'],
    ['WEEK', 'Europe/Berlin', '2025-03-30T12:00', 'SUNDAY', '2025-03-29T23:00', '2025-04-05T22:00'],
    ['WEEK', 'Europe/Berlin', '2025-03-30T12:00', 'SATURDAY', '2025-03-28T23:00', '2025-04-04T22:00'],
    ['WEEK', 'UTC', '1969-12-31T12:00', 'MONDAY', '1969-12-29T00:00', '1970-01-05T00:00'],
    // The Friday was skipped.
    ['WEEK', 'Pacific/Apia', '2011-12-31T12:00', 'FRIDAY', '2011-12-30T10:00', '2012-01-05T10:00'],
    ['MONTH', 'Europe/Berlin', '2025-03-30T12:00', 'MONDAY', '2025-02-28T23:00', '2025-03-31T22:00'],
    ['MONTH', 'UTC', '2024-02-29T12:00', 'MONDAY', '2024-02-01T00:00', '2024-03-01T00:00'],
    ['MONTH', 'Asia/Kolkata', '2024-12-31T18:30', 'MONDAY', '2024-12-31T18:30', '2025-01-31T18:30'],
    ['MONTH', 'Pacific/Apia', '2011-12-15T12:00', 'MONDAY', '2011-12-01T10:00', '2011-12-31T10:00'],
  ] as const)(
    'a %s of %s at %s from %s on begins with its first day',
    (granularity, zone, at, weekStart, start, end) => {
      expect(edges(at, `${at}:00.001`, granularity, zone, weekStart as never)).toEqual([start, end]);
    },
  );
});

describe('hours', () => {
  it('that are repeated are two buckets, and skipped ones none', () => {
    const back = ['2025-10-26T00:00', '2025-10-26T01:00', '2025-10-26T02:00'];
    expect(edges('2025-10-26T00:10', '2025-10-26T01:10', 'HOUR', 'Europe/Berlin')).toEqual(back);
    expect(edges('2025-10-25T22:00', '2025-10-26T23:00', 'HOUR', 'Europe/Berlin')).toHaveLength(25 + 1);
    expect(edges('2025-03-29T23:00', '2025-03-30T22:00', 'HOUR', 'Europe/Berlin')).toHaveLength(23 + 1);
    expect(edges('2025-03-09T05:00', '2025-03-10T04:00', 'HOUR', 'America/New_York')).toHaveLength(23 + 1);
  });

  it('begin at the local full hour where the offset has a half or a quarter', () => {
    const kolkata = ['2025-06-01T09:30', '2025-06-01T10:30', '2025-06-01T11:30'];
    expect(edges('2025-06-01T10:00', '2025-06-01T11:00', 'HOUR', 'Asia/Kolkata')).toEqual(kolkata);
    const kathmandu = ['2025-06-01T09:15', '2025-06-01T10:15', '2025-06-01T11:15'];
    expect(edges('2025-06-01T10:00', '2025-06-01T11:00', 'HOUR', 'Asia/Kathmandu')).toEqual(kathmandu);
  });

  it('are cut by a transition of half an hour', () => {
    const back = ['2025-04-05T14:00', '2025-04-05T15:00', '2025-04-05T15:30', '2025-04-05T16:30'];
    expect(edges('2025-04-05T14:00', '2025-04-05T16:00', 'HOUR', 'Australia/Lord_Howe')).toEqual(back);
    const on = ['2025-10-04T14:30', '2025-10-04T15:30', '2025-10-04T16:00', '2025-10-04T17:00'];
    expect(edges('2025-10-04T15:00', '2025-10-04T16:10', 'HOUR', 'Australia/Lord_Howe')).toEqual(on);
    expect(edges('2025-10-04T15:45', '2025-10-04T15:50', 'HOUR', 'Australia/Lord_Howe')).toEqual(on.slice(1, 3));
  });
});

describe('a transition by whole hours at 00:01', () => {
  it('cuts no bucket', () => {
    const hours = ['2010-11-07T01:30', '2010-11-07T02:30', '2010-11-07T03:30'];
    expect(edges('2010-11-07T01:30', '2010-11-07T03:30', 'HOUR', BACK_OVER_MIDNIGHT)).toEqual(hours);
  });
});

describe('buckets', () => {
  it('are gapless and in order, cover the span, and all touch it', () => {
    fc.assert(
      fc.property(ruleAndSpan(), ({ rule, span }) => {
        const buckets = calendarBuckets(span, rule, 1_000)!;
        expect(buckets[0]!.start <= span.from && span.from < buckets[0]!.end).toBe(true);
        expect(buckets.at(-1)!.start < span.to && span.to <= buckets.at(-1)!.end).toBe(true);
        for (const [index, { start, end }] of buckets.entries()) {
          expect(start < end).toBe(true);
          if (index > 0) expect(start).toBe(buckets[index - 1]!.end);
        }
      }),
    );
  });

  it('begin at a boundary that the local clock shows or at a transition, and at a multiple of 15 minutes', () => {
    const boundary: Record<Granularity, RegExp> = {
      QUARTER_HOUR: / \d\d:(00|15|30|45):00$/,
      HOUR: / \d\d:00:00$/,
      DAY: / 00:00:00$/,
      WEEK: / 00:00:00$/,
      MONTH: /-01 00:00:00$/,
    };
    fc.assert(
      fc.property(ruleAndSpan(), ({ rule, span }) => {
        for (const { start } of calendarBuckets(span, rule, 1_000)!) {
          const { date, time } = shown(start, rule.timeZone);
          expect(boundary[rule.granularity].test(`${date} ${time}`) || isTransition(start, rule.timeZone)).toBe(true);
          expect(Math.abs(start % QUARTER)).toBe(0);
        }
      }),
    );
  });

  it('of a part of a span are those of the whole that touch the part', () => {
    fc.assert(
      fc.property(ruleAndSpan(), fc.double({ min: 0, max: 0.999, noNaN: true }), ({ rule, span }, share) => {
        const from = span.from + Math.floor((span.to - span.from) * share);
        const touching = calendarBuckets(span, rule, 1_000)!.filter(({ end }) => end > from);
        expect(calendarBuckets({ from, to: span.to }, rule, 1_000)).toEqual(touching);
      }),
    );
  });

  it('of a finer granularity nest in those of a coarser one', () => {
    fc.assert(
      fc.property(ruleAndSpan(of('HOUR')), ({ rule, span }) => {
        const quarters = new Set(
          calendarBuckets(span, { ...rule, granularity: 'QUARTER_HOUR' }, 2_000)!.map((b) => b.start),
        );
        const hours = calendarBuckets(span, rule, 1_000)!.map(({ start }) => start);
        const days = calendarBuckets(span, { ...rule, granularity: 'DAY' }, 1_000)!.map(({ start }) => start);
        expect(hours.filter((start) => start >= span.from && !quarters.has(start))).toEqual([]);
        expect(days.filter((start) => start >= span.from && !hours.includes(start))).toEqual([]);
      }),
    );
  });

  it('are not more than the limit', () => {
    fc.assert(
      fc.property(ruleAndSpan(), ({ rule, span }) => {
        const count = calendarBuckets(span, rule, 1_000)!.length;
        expect(calendarBuckets(span, rule, count)).toHaveLength(count);
        expect(calendarBuckets(span, rule, count - 1)).toBeUndefined();
      }),
    );
  });

  it('of thousands of years are refused without being made', () => {
    const span = { from: Date.UTC(1, 0), to: Date.UTC(9_999, 0) };
    for (const granularity of GRANULARITIES) {
      const rule = { granularity, timeZone: 'Europe/Berlin', weekStart: 'MONDAY' } as const;
      expect(calendarBuckets(span, rule, 2_000)).toBeUndefined();
    }
  });

  it('are none for an empty span, and an error for an unknown zone', () => {
    const rule = { granularity: 'DAY', timeZone: 'UTC', weekStart: 'MONDAY' } as const;
    expect(calendarBuckets({ from: 5, to: 5 }, rule, 10)).toEqual([]);
    expect(() => calendarBuckets({ from: 5, to: 6 }, { ...rule, timeZone: '+08:00' }, 10)).toThrow(RangeError);
  });
});
