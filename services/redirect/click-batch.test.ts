import { expect, test } from 'vitest';
import { Click, ClickBatch, Trigger } from '../../gen/proto/waypost/click/v1/click.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import { partitionOf, sealBatch } from './click-batch.js';
import { DropLedger } from './drop-ledger.js';

const NOW = 1_780_000_000_000;

test('a sealed batch is a ClickBatch of its clicks and of what was dropped', () => {
  const clicks = [1, 2, 3].map((n) => clickOf(n));
  const encoded = clicks.map((click) => Click.encode(click).finish());
  const drops = [{ tenantId: 'ten_1', hourMs: 3_600_000, bots: 5, others: 2 }];
  const { id, count, partition, body } = sealBatch(3, encoded, { pod: 'pod-1', drops });
  expect([id.length, count, partition]).toEqual([26, 3, 3]);
  expect(ClickBatch.decode(body)).toEqual({ clicks, droppedBots: 0, droppedOthers: 0, pod: 'pod-1', drops });
});

test('the largest possible batch fits in a message', () => {
  const long = 'ÿ'.repeat(1_000);
  const wide = '漢'.repeat(100);
  const campaign = { source: wide, medium: wide, campaign: wide, term: wide, content: wide };
  const texts = { userAgent: long, referrer: long, shortCode: 'x'.repeat(200), campaign };
  const click = Click.encode({ ...clickOf(1), ...texts }).finish();
  const ledger = new DropLedger();
  for (let i = 0; i < 20_000; i++) ledger.count(`ten_000000000000${i}`, NOW, 'other');
  const { body } = sealBatch(0, new Array(100).fill(click), ledger.take(0));
  expect(body.length).toBeLessThan(1024 * 1024);
});

test('a tenant is always of one partition, and tenants are spread over all', () => {
  const counts = new Array(CLICK_PARTITIONS).fill(0);
  for (let i = 0; i < 4_000; i++) counts[partitionOf(`ten_${i}`)]++;
  expect(partitionOf('ten_1')).toBe(partitionOf('ten_1'));
  for (const count of counts) expect(count).toBeGreaterThan(800);
});

function clickOf(n: number): Click {
  return {
    ...{ id: Buffer.alloc(16, n), timeMs: NOW + n, tenantId: 'ten_1', linkId: 'lnk_1' },
    ...{ groupId: 'grp_1', domainId: 'dom_1', shortCode: 'Abc', targetVersion: 1, visitor: 2 ** 53 - 1 },
    ...{ saltId: '2026-06-01', country: 'NZ', userAgent: 'agent', referrer: '', language: 'en', status: 302 },
    ...{ flags: { head: false, prefetch: false }, costUs: 10, trigger: Trigger.LINK },
    ...{ campaign: undefined, adClick: false },
  };
}
