import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hold, NO_LINK } from './decision.js';
import { LinkCache } from './link-cache.js';

const KEY = 'sl:grp_1:abc';
const TTL_MS = 30_000;
const STALE_MAX_MS = 600_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function newCache(entries = 100): LinkCache {
  return new LinkCache({ entries, ttlMs: TTL_MS, staleMaxMs: STALE_MAX_MS });
}

function link(rev: number) {
  const target = { targetUrl: `https://target.example/${rev}`, redirectType: 302, risk: 'ALLOW' } as const;
  return hold({ linkId: 'lnk_0000000000001', tenantId: 'ten_1', rev, version: 1, disabled: false, ...target });
}

function freshRev(cache: LinkCache, key = KEY): number | undefined {
  return cache.fresh(key, performance.now())?.rev;
}

test('a hit does not lengthen the life of a link, which counts from the read', () => {
  const cache = newCache();
  cache.put(KEY, link(1), cache.moment());
  for (let ms = 0; ms < 19_000; ms += 1_000) {
    vi.advanceTimersByTime(1_000);
    expect(freshRev(cache)).toBe(1);
  }
  vi.advanceTimersByTime(21_001);
  expect(freshRev(cache)).toBeUndefined();
  expect(cache.stale(KEY, performance.now())?.rev).toBe(1);
});

test('that there is no link is believed for 10 s at most', () => {
  const cache = newCache();
  cache.put(KEY, NO_LINK, cache.moment());
  expect(freshRev(cache)).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(freshRev(cache)).toBeUndefined();
});

test('a scan of codes without a link pushes out no link', () => {
  const cache = newCache();
  cache.put(KEY, link(1), cache.moment());
  for (let i = 0; i < 1_000; i++) cache.put(`sl:grp_1:scan${i}`, NO_LINK, cache.moment());
  expect(freshRev(cache)).toBe(1);
});

test('an older snapshot never replaces a newer one, fresh or not', () => {
  const cache = newCache();
  cache.put(KEY, link(2), cache.moment());
  vi.advanceTimersByTime(60_000);
  expect(cache.put(KEY, link(1), cache.moment())).toBe(false);
  expect(cache.put(KEY, NO_LINK, cache.moment())).toBe(false);
  expect(cache.put(KEY, link(2), cache.moment())).toBe(true);
});

test('an invalidation removes what is older, and what was being read when it came is not kept', () => {
  const cache = newCache();
  cache.put(KEY, link(1), cache.moment());
  const moment = cache.moment();
  expect(cache.invalidate(KEY, 2)).toBe(true);
  expect(cache.stale(KEY, performance.now())).toBeUndefined();
  expect(cache.put(KEY, link(1), moment)).toBe(false);
  expect(cache.put(KEY, NO_LINK, moment)).toBe(false);
  expect(cache.put(KEY, link(2), cache.moment())).toBe(true);
});

test('an invalidation of what is held already changes nothing', () => {
  const cache = newCache();
  cache.put(KEY, link(3), cache.moment());
  expect(cache.invalidate(KEY, 3)).toBe(false);
  expect(cache.invalidate(KEY, 2)).toBe(false);
  expect(freshRev(cache)).toBe(3);
});

test('the link that is made replaces "no such link" at its invalidation', () => {
  const cache = newCache();
  cache.put(KEY, NO_LINK, cache.moment());
  expect(cache.invalidate(KEY, 1)).toBe(true);
  expect(freshRev(cache)).toBeUndefined();
});

test('after a gap everything is read again, and a read from before it is not kept', () => {
  const cache = newCache();
  cache.put(KEY, link(1), cache.moment());
  const moment = cache.moment();
  cache.distrust();
  expect(freshRev(cache)).toBeUndefined();
  expect(cache.stale(KEY, performance.now())?.rev).toBe(1);
  expect(cache.put(KEY, link(1), moment)).toBe(false);
  expect(cache.put(KEY, link(1), cache.moment())).toBe(true);
  expect(freshRev(cache)).toBe(1);
});

test('a stale link is served for STALE_MAX after its read and no longer', () => {
  const cache = newCache();
  cache.put(KEY, link(1), cache.moment());
  vi.advanceTimersByTime(STALE_MAX_MS - 1);
  cache.confirm(performance.now());
  expect(cache.stale(KEY, performance.now())?.rev).toBe(1);
  vi.advanceTimersByTime(1);
  expect(cache.stale(KEY, performance.now())).toBeUndefined();
});

test('nothing is served that was not confirmed for STALE_MAX, however lately it was read', () => {
  const cache = newCache();
  vi.advanceTimersByTime(STALE_MAX_MS - 1);
  cache.put(KEY, link(1), cache.moment());
  expect(freshRev(cache)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(freshRev(cache)).toBeUndefined();
  expect(cache.stale(KEY, performance.now())).toBeUndefined();
  cache.confirm(performance.now());
  expect(freshRev(cache)).toBe(1);
});
