import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { type SealedBatch, sealBatch } from './click-batch.js';
import { ClickMetrics } from './click-metrics.js';
import { ClickSender } from './click-sender.js';
import { ClickSpool } from './click-spool.js';

const log = createLog('test', 'silent');
/** A stream that does as told: what NATS does by itself is proved in clicks.test.ts. */
const nats = {
  up: true,
  taken: [] as string[],
  tries: 0,
  atOnce: 0,
  mostAtOnce: 0,
  answer: async (): Promise<void> => undefined,
  async publish(_subject: string, _body: Uint8Array, id: string): Promise<void> {
    nats.tries++;
    nats.mostAtOnce = Math.max(nats.mostAtOnce, ++nats.atOnce);
    try {
      await nats.answer();
      nats.taken.push(id);
    } finally {
      nats.atOnce--;
    }
  },
};
let directory: string;
let spool: ClickSpool;
let sender: ClickSender;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-sender-'));
  Object.assign(nats, { up: true, taken: [], tries: 0, mostAtOnce: 0, answer: async () => undefined });
  await begin(100_000);
});

afterEach(async () => {
  await sender.stop();
  await rm(directory, { recursive: true, force: true });
});

async function begin(maxBytes: number): Promise<void> {
  spool = new ClickSpool({ directory, maxBytes, log });
  await spool.load();
  sender = new ClickSender({ nats, spool, metrics: new ClickMetrics(createMetrics('test').registry), log });
}

function batches(count: number): SealedBatch[] {
  return Array.from({ length: count }, () => sealBatch(0, [Buffer.alloc(50)], { pod: 'pod', drops: [] }));
}

async function fail(): Promise<never> {
  throw new Error('away');
}

test('with NATS hung a few publishes wait, and the rest is spooled at once', async () => {
  const releases: (() => void)[] = [];
  nats.answer = () => new Promise((resolve) => releases.push(resolve));
  const waiting = batches(4).map((batch) => sender.send(batch));
  const spooled = batches(10);
  for (const batch of spooled) await sender.send(batch);
  expect([nats.tries, nats.taken, spool.empty]).toEqual([4, [], false]);
  nats.answer = async () => undefined;
  for (const release of releases) release();
  await Promise.all(waiting);
  sender.start();
  await expect.poll(() => nats.taken.slice(4)).toEqual(spooled.map(({ id }) => id));
  expect(nats.mostAtOnce).toBeLessThanOrEqual(8);
});

test('what fails is spooled, sent again with its id when NATS is back, and then sent directly', async () => {
  sender.start();
  nats.answer = fail;
  const sent = batches(5);
  for (const batch of sent) await sender.send(batch);
  expect([nats.taken, spool.empty, nats.tries]).toEqual([[], false, 1]);
  nats.answer = async () => undefined;
  await expect.poll(() => nats.taken).toEqual(sent.map(({ id }) => id));
  await expect.poll(() => spool.empty).toBe(true);
  const [last] = batches(1) as [SealedBatch];
  await sender.send(last);
  expect(nats.taken.at(-1)).toBe(last.id);
});

test('with NATS away and the spool full nothing more is taken, and what was taken is kept', async () => {
  await begin(500);
  sender.start();
  nats.up = false;
  const sent: SealedBatch[] = [];
  while (sender.ready) {
    const [batch] = batches(1) as [SealedBatch];
    sent.push(batch);
    await sender.send(batch);
  }
  expect(sent.length).toBeGreaterThan(2);
  nats.up = true;
  await expect.poll(() => [...nats.taken].sort()).toEqual(sent.map(({ id }) => id).sort());
  expect(sender.ready).toBe(true);
});

test('a stop leaves all in NATS or in the spool, and tells what found no place', async () => {
  await begin(500);
  nats.answer = fail;
  const sent = batches(10);
  const placed: string[] = [];
  for (const batch of sent) if (await sender.send(batch)) placed.push(batch.id);
  const lost = await sender.drain();
  expect(await sender.stop()).toEqual([]);
  const kept: string[] = [];
  await spool.replay(async ({ id }) => kept.push(id) > 0);
  expect(kept.length).toBeGreaterThan(1);
  expect(kept).toEqual(placed);
  expect([...kept, ...lost.map(({ id }) => id)].sort()).toEqual(sent.map(({ id }) => id).sort());
});

test('a stop does not wait for a long spool, of which the next process sends the rest', async () => {
  nats.answer = fail;
  const sent = batches(100);
  for (const batch of sent) await sender.send(batch);
  let stopped: Promise<SealedBatch[]> | undefined;
  nats.answer = async () => {
    stopped ??= sender.stop();
  };
  sender.start();
  await expect.poll(() => stopped).toBeDefined();
  expect(await stopped).toEqual([]);
  expect(nats.taken.length).toBeLessThan(10);
  await begin(100_000);
  sender.start();
  await expect.poll(() => new Set(nats.taken).size).toBe(100);
});
