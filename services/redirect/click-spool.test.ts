import { appendFile, chmod, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../runtime/log.js';
import { type SealedBatch, sealBatch } from './click-batch.js';
import { ClickSpool } from './click-spool.js';

const log = createLog('test', 'silent');
let directory: string;
let spools: ClickSpool[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-spool-'));
});
afterEach(async () => {
  await Promise.all(spools.map((spool) => spool.stop()));
  spools = [];
  await rm(directory, { recursive: true, force: true });
});

async function openSpool(options: { maxBytes?: number; fileBytes?: number } = {}): Promise<ClickSpool> {
  const spool = new ClickSpool({ directory, maxBytes: 1024 * 1024, ...options, log });
  await spool.load();
  spools.push(spool);
  return spool;
}

function batches(count: number): SealedBatch[] {
  return Array.from({ length: count }, (_, i) => sealBatch(i % 4, [Buffer.alloc(100, i)], { pod: 'pod', drops: [] }));
}

/** Takes all that is replayed. */
async function replayed(spool: ClickSpool): Promise<SealedBatch[]> {
  const seen: SealedBatch[] = [];
  expect(await spool.replay(async (batch) => seen.push(batch) > 0)).toBe(true);
  return seen.map((batch) => ({ ...batch, body: new Uint8Array(batch.body) }));
}

function plain(some: SealedBatch[]): SealedBatch[] {
  return some.map((batch) => ({ ...batch, body: new Uint8Array(batch.body) }));
}

async function fileNames(): Promise<string[]> {
  return (await readdir(directory)).sort().map((name) => join(directory, name));
}

test('what was spooled is replayed in order with its ids, over several files, and then gone from the disk', async () => {
  const spool = await openSpool({ fileBytes: 1_000 });
  const given = batches(50);
  for (const batch of given) expect(await spool.append(batch)).toBe(true);
  expect((await fileNames()).length).toBeGreaterThan(3);
  expect(await replayed(spool)).toEqual(plain(given));
  expect([spool.bytes, spool.empty, await fileNames()]).toEqual([0, true, []]);
  expect(await spool.append(given[0] as SealedBatch)).toBe(true);
  expect(await replayed(spool)).toEqual(plain(given.slice(0, 1)));
});

test('a process that starts replays what an earlier one left, without having been stopped', async () => {
  const given = batches(10);
  const first = await openSpool();
  for (const batch of given) await first.append(batch);
  const second = await openSpool();
  expect(second.bytes).toBe(first.bytes);
  expect(await replayed(second)).toEqual(plain(given));
});

test('a last record that a kill cut off costs only itself, wherever it was cut', async () => {
  const spool = await openSpool();
  const given = batches(3);
  for (const batch of given) await spool.append(batch);
  const [path = ''] = await fileNames();
  const whole = await readFile(path);
  for (let length = whole.length - 1; length >= (whole.length / 3) * 2; length -= 7) {
    await writeFile(path, whole);
    await truncate(path, length);
    expect(await replayed(await openSpool())).toEqual(plain(given.slice(0, 2)));
  }
});

test('a damaged record is passed over, and garbage at the end is ignored', async () => {
  const spool = await openSpool();
  const given = batches(3);
  for (const batch of given) await spool.append(batch);
  const [path = ''] = await fileNames();
  const content = await readFile(path);
  content.writeUInt8(content.readUInt8(content.length / 2) ^ 1, Math.floor(content.length / 2));
  await writeFile(path, content);
  await appendFile(path, Buffer.alloc(200, 0xff));
  expect(await replayed(await openSpool())).toEqual(plain([given[0], given[2]] as SealedBatch[]));
});

test('a replay that fails goes on later where it was, and nothing is deleted before', async () => {
  const spool = await openSpool();
  const given = batches(20);
  for (const batch of given) await spool.append(batch);
  let left = 10;
  expect(await spool.replay(async () => left-- > 0)).toBe(false);
  expect(await fileNames()).toHaveLength(1);
  const rest = await replayed(spool);
  expect(rest).toEqual(plain(given.slice(8)));
});

test('what is appended while it is replayed is replayed too', async () => {
  const spool = await openSpool({ fileBytes: 500 });
  const given = batches(30);
  for (const batch of given.slice(0, 10)) await spool.append(batch);
  let next = 10;
  const seen = new Set<string>();
  const appends: Promise<boolean>[] = [];
  await spool.replay(async ({ id }) => {
    seen.add(id);
    const batch = given[next++];
    if (batch) appends.push(spool.append(batch));
    return true;
  });
  expect(await Promise.all(appends)).not.toContain(false);
  for (const { id } of await replayed(spool)) seen.add(id);
  expect(seen).toEqual(new Set(given.map(({ id }) => id)));
});

test('it holds no more than it may, also after a restart', async () => {
  const spool = await openSpool({ maxBytes: 1_000 });
  const taken: boolean[] = [];
  for (const batch of batches(20)) taken.push(await spool.append(batch));
  expect(taken.indexOf(false)).toBeGreaterThan(3);
  expect(taken.lastIndexOf(true)).toBe(taken.indexOf(false) - 1);
  expect(spool.bytes).toBeLessThanOrEqual(1_000);
  const again = await openSpool({ maxBytes: spool.bytes });
  expect(again.hasRoom).toBe(false);
});

test.skipIf(process.getuid?.() === 0)(
  'a directory that can’t be written refuses, and throws nothing (needs a user that is not root)',
  async () => {
    await chmod(directory, 0o500);
    const spool = await openSpool();
    expect(await spool.append(batches(1)[0] as SealedBatch)).toBe(false);
    expect([spool.hasRoom, spool.bytes]).toEqual([false, 0]);
    await spool.stop();
  },
);

test('a directory that can’t be made refuses, and throws nothing', async () => {
  await writeFile(join(directory, 'file'), '');
  const spool = new ClickSpool({ directory: join(directory, 'file', 'spool'), maxBytes: 1_000, log });
  await spool.load();
  expect(await spool.append(batches(1)[0] as SealedBatch)).toBe(false);
  expect([spool.hasRoom, spool.bytes, spool.empty]).toEqual([false, 0, true]);
  await spool.stop();
});
