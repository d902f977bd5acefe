import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Redis as Client } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Credentials, createCredentials, withCredentials } from '../dev/credentials.js';
import { type Engines, startEngines } from '../dev/engines.js';
import { startFaultProxy } from '../dev/fault-proxy.js';
import { createLog } from './log.js';
import { Redis } from './redis.js';

const WITHIN = { timeout: 3_000, interval: 20 };
const LIFE_MS = 60_000;
const OTHERS = { mongodbUrl: 'mongodb://unused', natsUrl: 'nats://unused' };

let directory: string;
let engines: Engines;
let credentials: Credentials;
let redis: Redis;
let stops: (() => Promise<unknown>)[] = [];
let keys = 0;
let key: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-redis-'));
  credentials = createCredentials();
  engines = await startEngines({
    dataDir: directory,
    redisAcl: credentials.redisAcl,
    external: OTHERS,
    log: () => undefined,
  });
});

beforeEach(async () => {
  key = `sl:grp_1:code${keys++}`;
  redis = start();
  await isUp(redis);
});

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

afterAll(async () => {
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

function start(url = engines.redisUrl, log = createLog('test', 'silent')): Redis {
  const started = new Redis({ url: withCredentials(url, 'link', credentials.redis.link), name: 'test', log });
  stops.push(() => started.stop());
  return started;
}

/** That it answers, not only that it is connected: after failures it is not asked for a second. */
async function isUp(of: Redis): Promise<void> {
  await expect
    .poll(
      () =>
        of.get('sl:any').then(
          () => true,
          () => false,
        ),
      WITHIN,
    )
    .toBe(true);
}

/** How long a call took, and whether it failed. */
async function timed(call: Promise<unknown>): Promise<{ failed: boolean; ms: number }> {
  const began = performance.now();
  const failed = await call.then(
    () => false,
    () => true,
  );
  return { failed, ms: performance.now() - began };
}

test('an older version is refused, an equal or a newer one is taken (K-4)', async () => {
  expect(await redis.setIfNotOlder(key, 5, 'five', LIFE_MS)).toBe(true);
  expect(await redis.setIfNotOlder(key, 4, 'four', LIFE_MS)).toBe(false);
  expect(await redis.get(key)).toBe('5 five');
  expect(await redis.setIfNotOlder(key, 5, 'again', LIFE_MS)).toBe(true);
  expect(await redis.get(key)).toBe('5 again');
  expect(await redis.setIfNotOlder(key, 10, 'ten', LIFE_MS)).toBe(true);
  expect(await redis.get(key)).toBe('10 ten');
  expect(await redis.setIfNotOlder(key, 9, 'nine', LIFE_MS)).toBe(false);
});

test('a negative entry (version 0) fills an empty place, and a link overwrites it, never the other way round', async () => {
  expect(await redis.setIfNotOlder(key, 0, '', LIFE_MS)).toBe(true);
  expect(await redis.get(key)).toBe('0 ');
  expect(await redis.setIfNotOlder(key, 1, 'link', LIFE_MS)).toBe(true);
  expect(await redis.setIfNotOlder(key, 0, '', LIFE_MS)).toBe(false);
  expect(await redis.get(key)).toBe('1 link');
});

test('what is no versioned value is overwritten', async () => {
  const raw = new Client(withCredentials(engines.redisUrl, 'link', credentials.redis.link));
  stops.push(async () => raw.disconnect());
  await raw.set(key, 'garbage');
  expect(await redis.setIfNotOlder(key, 1, 'link', LIFE_MS)).toBe(true);
  expect(await redis.get(key)).toBe('1 link');
});

test('of many writers at once the newest wins, in whatever order they arrive', async () => {
  const versions = Array.from({ length: 200 }, (_, i) => (i * 7919) % 200);
  await Promise.all(versions.map((version) => redis.setIfNotOlder(key, version, `v${version}`, LIFE_MS)));
  expect(await redis.get(key)).toBe('199 v199');
});

test('a value lives as long as it was given, to the millisecond, fractions dropped', async () => {
  await redis.setIfNotOlder(key, 1, 'link', 150.7);
  expect(await redis.get(key)).toBe('1 link');
  await expect.poll(() => redis.get(key), { timeout: 1_000, interval: 20 }).toBeNull();
  // Past its end already: not kept, and no error.
  await redis.setIfNotOlder(key, 1, 'link', -5);
  await expect.poll(() => redis.get(key), { timeout: 1_000, interval: 20 }).toBeNull();
});

test.each([
  ['FLUSHALL', []],
  ['KEYS', ['*']],
  ['CONFIG', ['GET', '*']],
  ['SCRIPT', ['FLUSH']],
  ['GET', ['other:key']],
  ['SUBSCRIBE', ['x']],
])('the user of a service may not %s %s (RD-1)', async (command, args) => {
  const raw = new Client(withCredentials(engines.redisUrl, 'redirect', credentials.redis.redirect));
  stops.push(async () => raw.disconnect());
  await expect(raw.call(command, ...args)).rejects.toThrow('NOPERM');
});

test('while the server hangs no call takes longer than 100 ms, however many there are; it recovers within 3 s', async () => {
  await redis.setIfNotOlder(key, 1, 'link', LIFE_MS);
  engines.redis?.kill('SIGSTOP');
  try {
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 200 }, (_, i) =>
        timed(i % 2 ? redis.get(key) : redis.setIfNotOlder(key, 2, 'x', LIFE_MS)),
      );
      for (const { failed, ms } of await Promise.all(calls)) {
        expect(failed).toBe(true);
        expect(ms).toBeLessThan(150);
      }
    }
  } finally {
    engines.redis?.kill('SIGCONT');
  }
  await expect.poll(() => redis.get(key).catch(() => undefined), WITHIN).toMatch(/^[12] /);
});

test('after a few failures it is not even tried, so that callers lose no time', async () => {
  engines.redis?.kill('SIGSTOP');
  try {
    for (let i = 0; i < 5; i++) await timed(redis.get(key));
    expect((await timed(redis.get(key))).ms).toBeLessThan(20);
  } finally {
    engines.redis?.kill('SIGCONT');
  }
});

test('while the server is dead calls fail at once; it recovers within 3 s of its return, scripts and all', async () => {
  await redis.setIfNotOlder(key, 1, 'link', LIFE_MS);
  engines.redis?.kill('SIGKILL');
  await expect.poll(async () => (await timed(redis.get(key))).failed, WITHIN).toBe(true);
  for (let i = 0; i < 20; i++) {
    const { failed, ms } = await timed(redis.get(key));
    expect(failed).toBe(true);
    expect(ms).toBeLessThan(20);
  }
  expect(redis.up).toBe(false);
  await engines.redis?.restart();
  await isUp(redis);
  // The new server knows no scripts; many at once go in one pipeline.
  const stored = await Promise.all([1, 2, 3].map((i) => redis.setIfNotOlder(`${key}${i}`, i, 'link', LIFE_MS)));
  expect(stored).toEqual([true, true, true]);
});

test('a connection that swallows everything is given up, and another one made', async () => {
  const proxy = await startFaultProxy(engines.redis?.port ?? 0);
  stops.push(() => proxy.stop());
  const through = start(`redis://127.0.0.1:${proxy.port}`);
  await isUp(through);
  proxy.setFault({ kind: 'drop' });
  await expect.poll(async () => (await timed(through.get(key))).failed && through.up, WITHIN).toBe(false);
  proxy.setFault({ kind: 'none' });
  await isUp(through);
});

test('a cache that is away at the start is no failure of the start', async () => {
  engines.redis?.kill('SIGKILL');
  const early = start();
  expect((await timed(early.get(key))).failed).toBe(true);
  await engines.redis?.restart();
  await isUp(early);
});

test('a refused password is logged without it, and does not end the process (T-10)', async () => {
  const lines = new PassThrough();
  const url = withCredentials(engines.redisUrl, 'link', 'hunter2-hunter2');
  const refused = new Redis({ url, name: 'test', log: createLog('test', 'trace', lines) });
  stops.push(() => refused.stop());
  let text = '';
  await expect.poll(() => (text += String(lines.read() ?? '')), WITHIN).toContain('WRONGPASS');
  expect(text).not.toContain('hunter2');
  expect((await timed(refused.get(key))).failed).toBe(true);
});

test('a stop rejects what is under way and connects no more', async () => {
  engines.redis?.kill('SIGSTOP');
  try {
    const call = timed(redis.get(key));
    await redis.stop();
    expect((await call).failed).toBe(true);
  } finally {
    engines.redis?.kill('SIGCONT');
  }
  expect(redis.up).toBe(false);
  expect((await timed(redis.get(key))).failed).toBe(true);
});
