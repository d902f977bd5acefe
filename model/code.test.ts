import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedCode, customCodeFault, isCodeShaped, randomCode } from './code.js';

describe('random codes', () => {
  it('have the length asked for and only Base62 characters', () => {
    for (const length of [7, 8, 12]) expect(randomCode(length)).toMatch(new RegExp(`^[0-9a-zA-Z]{${length}}$`));
  });

  it('favour no character at any position (chi-square below its 1 in 10,000 limit)', () => {
    const draws = 20_000;
    const counts = Array.from({ length: 8 }, () => new Map<string, number>());
    for (let i = 0; i < draws; i++) {
      const code = randomCode(8);
      for (const [position, count] of counts.entries()) {
        count.set(code[position]!, (count.get(code[position]!) ?? 0) + 1);
      }
    }
    const expected = draws / 62;
    for (const count of counts) {
      const chi = [...count.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
      expect(count.size).toBe(62);
      // 61 degrees of freedom; 8 positions are looked at.
      expect(chi).toBeLessThan(115);
    }
  });
});

describe('custom codes', () => {
  it('are refused with the character that is wrong named', () => {
    for (const bad of ['?', '#', '/', '%', '\\', ':', '@', '+', '&', ';']) {
      expect(customCodeFault(`ab${bad}cd`)).toMatchObject({
        code: 'CODE_INVALID',
        message: expect.stringContaining(bad),
      });
    }
    expect(customCodeFault('ab cd')?.message).toContain('U+0020');
    expect(customCodeFault('ab\u0000cd')?.message).toContain('U+0000');
    expect(customCodeFault('中文短码')?.message).toContain('U+4E2D');
  });

  it('have 4 to 32 characters', () => {
    expect(customCodeFault('abc')?.code).toBe('CODE_INVALID');
    expect(customCodeFault('abcd')).toBeUndefined();
    expect(customCodeFault('a'.repeat(32))).toBeUndefined();
    expect(customCodeFault('a'.repeat(33))?.code).toBe('CODE_INVALID');
    expect(customCodeFault('')?.code).toBe('CODE_INVALID');
  });

  it('are never words of the platform, in any case', () => {
    for (const word of ['graphql', 'healthz', 'METRICS', 'Admin', 'well-known', 'login', 'robots.txt', 'qr']) {
      expect(customCodeFault(word)?.code).toBe('CODE_RESERVED');
    }
  });

  it('that pass can be looked up: what is stored is always shaped like a code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        if (customCodeFault(text) === undefined) expect(isCodeShaped(text)).toBe(true);
      }),
    );
  });

  it('differ by case unless the group folds', () => {
    expect(comparedCode('aB3xK9', 'SENSITIVE')).not.toBe(comparedCode('ab3xk9', 'SENSITIVE'));
    expect(comparedCode('aB3xK9', 'FOLDED')).toBe(comparedCode('ab3xk9', 'FOLDED'));
  });
});
