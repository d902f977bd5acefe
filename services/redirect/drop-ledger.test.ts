import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import { partitionOf } from './click-batch.js';
import { DropLedger, type DropReport } from './drop-ledger.js';

const HOUR_MS = 3_600_000;
const START = 500_000 * HOUR_MS;

/** What a reader makes of reports: the highest of each total, summed over the names. */
function read(reports: DropReport[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { pod, drops } of reports) {
    for (const { tenantId, hourMs, bots, others } of drops) {
      for (const [name, count] of Object.entries({ bots, others })) {
        const key = `${tenantId} ${hourMs} ${name} ${pod}`;
        highest.set(key, Math.max(highest.get(key) ?? 0, count));
      }
    }
  }
  const sums = new Map<string, number>();
  for (const [key, count] of highest) {
    const name = key.slice(0, key.lastIndexOf(' '));
    if (count > 0) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return sums;
}

function takeAll(ledger: DropLedger): DropReport[] {
  const reports: DropReport[] = [];
  for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
    while (ledger.waiting(partition)) reports.push(ledger.take(partition));
  }
  return reports;
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('drop' as const),
    tenantId: fc.constantFrom('ten_1', 'ten_2', 'ten_3'),
    hoursAgo: fc.integer({ min: 0, max: 2 }),
    dropClass: fc.constantFrom('bot' as const, 'other' as const),
  }),
  fc.record({ kind: fc.constant('take' as const), partition: fc.nat(CLICK_PARTITIONS - 1) }),
  fc.record({ kind: fc.constant('settle' as const), which: fc.nat(20), placed: fc.boolean() }),
  fc.record({ kind: fc.constant('hour' as const) }),
);

test('however batches fail, overtake each other and come again, a reader’s sums are what was dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let now = START;
      const ledger = new DropLedger({ now: () => now });
      const truth = new Map<string, number>();
      const underWay: DropReport[] = [];
      const placed: DropReport[] = [];
      for (const each of steps) {
        if (each.kind === 'hour') now += HOUR_MS;
        else if (each.kind === 'take') underWay.push(ledger.take(each.partition));
        else if (each.kind === 'drop') {
          const hourMs = now - each.hoursAgo * HOUR_MS;
          const key = `${each.tenantId} ${hourMs} ${each.dropClass === 'bot' ? 'bots' : 'others'}`;
          truth.set(key, (truth.get(key) ?? 0) + 1);
          ledger.count(each.tenantId, hourMs + 17, each.dropClass);
        } else {
          const [report] = underWay.splice(each.which % Math.max(1, underWay.length), 1);
          if (!report) continue;
          ledger.settle(report, each.placed);
          if (each.placed) placed.push(report, report);
        }
      }
      for (const report of underWay) ledger.settle(report, false);
      for (const report of takeAll(ledger)) {
        ledger.settle(report, true);
        placed.unshift(report);
      }
      expect(ledger.untold).toBe(0);
      expect(read(placed)).toEqual(truth);
    }),
  );
});

test('a report is of tenants of one partition and of bounded length, and nothing is told twice', () => {
  const ledger = new DropLedger();
  for (let i = 0; i < 5_000; i++) ledger.count(`ten_${i}`, START, 'other');
  const reports = takeAll(ledger);
  expect(reports.flatMap(({ drops }) => drops)).toHaveLength(5_000);
  for (const { drops } of reports) {
    expect(drops.length).toBeLessThanOrEqual(500);
    expect(new Set(drops.map(({ tenantId }) => partitionOf(tenantId))).size).toBe(1);
  }
  expect(takeAll(ledger)).toEqual([]);
});

test('what is over and told is forgotten, so that others find room; what is not told is kept', () => {
  let now = START;
  const ledger = new DropLedger({ limit: 2, now: () => now });
  for (const tenant of ['ten_1', 'ten_2', 'ten_3']) ledger.count(tenant, now, 'bot');
  const first = takeAll(ledger);
  expect(first.flatMap(({ drops }) => drops.map(({ tenantId }) => tenantId)).sort()).toEqual(['ten_1', 'ten_2']);
  now += HOUR_MS;
  ledger.count('ten_4', now, 'bot');
  expect(takeAll(ledger)).toEqual([]);
  for (const report of first) ledger.settle(report, true);
  ledger.count('ten_4', now, 'bot');
  ledger.count('ten_1', START, 'bot');
  const second = takeAll(ledger);
  expect(second.flatMap(({ drops }) => drops)).toHaveLength(2);
  expect(second.map(({ pod }) => pod)).not.toContain(first[0]?.pod);
});

test('no two ledgers have a name in common', () => {
  expect(new DropLedger().take(0).pod).not.toBe(new DropLedger().take(0).pod);
});
