import { expect, it } from 'vitest';
import { ClickBatch } from '../gen/proto/waypost/click/v1/click.js';
import { clickSubject } from '../runtime/streams.js';
import { partitionOf } from '../services/redirect/click-batch.js';
import { ClickStream } from './click-stream.js';

it('the generator knows what it sent: each click once, whatever came again, in its tenant’s partition', () => {
  const stream = new ClickStream();
  const counts = new Map<string, number>();
  const ids = new Set<string>();
  let copies = 0;
  for (const { subject, body } of stream.messages(30_000)) {
    for (const { id, tenantId, linkId } of ClickBatch.decode(body).clicks) {
      expect(subject).toBe(clickSubject(partitionOf(tenantId)));
      if (ids.has(id.toString('hex'))) {
        copies++;
        continue;
      }
      ids.add(id.toString('hex'));
      const name = `${tenantId} ${linkId}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  expect(ids.size).toBe(30_000);
  expect(copies).toBeGreaterThan(0);
  expect(counts).toEqual(stream.truth);
  const most = [...counts].sort((a, b) => b[1] - a[1])[0];
  expect(most?.[0]).toBe('ten_0 lnk_0000000000000');
});
