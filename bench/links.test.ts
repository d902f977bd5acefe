import { expect, it } from 'vitest';
import { codeAt } from './links.js';

it('no two links have one code', () => {
  const codes = new Set(Array.from({ length: 200_000 }, (_, i) => codeAt(i)));
  expect(codes.size).toBe(200_000);
  for (const code of [codeAt(0), codeAt(1), codeAt(999_999)]) expect(code).toMatch(/^[0-9A-Za-z]{7}$/);
});
