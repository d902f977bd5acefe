import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Click, Trigger } from '../../gen/proto/waypost/click/v1/click.js';
import { encodeClick } from './click-encoder.js';

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ minLength: 990, maxLength: 1_000 }));
const count = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
/** Each field of the message: one that it gets is missing here until somebody has thought of it. */
const anyClick: fc.Arbitrary<Click> = fc.record({
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((id) => Buffer.from(id)),
  timeMs: fc.integer({ min: 0, max: 2 ** 45 }),
  tenantId: text,
  linkId: text,
  groupId: text,
  domainId: text,
  shortCode: text,
  targetVersion: count,
  visitor: fc.option(fc.integer({ min: 0, max: 2 ** 53 - 1 }), { nil: undefined }),
  saltId: text,
  country: text,
  userAgent: fc.oneof(text, fc.constant('寿'.repeat(1_000))),
  referrer: fc.oneof(text, fc.constant('😀'.repeat(500))),
  language: text,
  flags: fc.option(fc.record({ head: fc.boolean(), prefetch: fc.boolean() }), { nil: undefined }),
  status: count,
  costUs: count,
  trigger: fc.constantFrom(Trigger.UNSPECIFIED, Trigger.LINK, Trigger.QR),
  campaign: fc.option(
    fc.record({ source: text, medium: text, campaign: text, term: text, content: text }).map((tags) => cut(tags)),
    { nil: undefined },
  ),
  adClick: fc.boolean(),
});

function cut<T extends Record<string, string>>(tags: T): T {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, value.slice(0, 100)])) as T;
}

test('a click decodes to what it was, whatever it holds', () => {
  fc.assert(
    fc.property(anyClick, (click) => {
      const expected = Click.decode(Click.encode(click).finish());
      expect(Click.decode(encodeClick(click))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('the bytes of one click are its own: the next does not change them', () => {
  const [first, second] = fc.sample(anyClick, 2) as [Click, Click];
  const encoded = encodeClick(first);
  const before = Buffer.from(encoded);
  encodeClick(second);
  expect(before.equals(encoded)).toBe(true);
});
