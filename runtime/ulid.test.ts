import { decodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { ulid, ulidBytes } from './ulid.js';

const NOW = Date.UTC(2026, 5, 1);

test('ULIDs of one process only grow', () => {
  const ids = Array.from({ length: 2_000 }, () => ulid());
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(2_000);
  expect(decodeTime(ids[0] as string)).toBeGreaterThan(NOW);
});

test('ULIDs as bytes begin with their time, and no two are the same, also as the pool of randomness is renewed', () => {
  const ids = Array.from({ length: 20_000 }, () => ulidBytes(NOW));
  expect(new Set(ids.map((id) => id.toString('hex'))).size).toBe(20_000);
  for (const id of ids.slice(0, 500)) expect([id.length, id.readUIntBE(0, 6)]).toEqual([16, NOW]);
});
