import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCampaign } from './campaign.js';

const EMPTY = { source: '', medium: '', campaign: '', term: '', content: '' };

test('all five parameters are read, decoded, whatever is between them', () => {
  const url =
    '/a?x=1&utm_source=%E5%BE%AE%E4%BF%A1&utm_medium=paid+social&y&utm_campaign=a%26b&utm_term=t&utm_content=%2B';
  expect(readCampaign(url).campaign).toEqual({
    ...{ source: '微信', medium: 'paid social', campaign: 'a&b', term: 't', content: '+' },
  });
});

test.each([
  ['/a', undefined],
  ['/a?', undefined],
  ['/utm_source=x', undefined],
  ['/a?utm_source=', undefined],
  ['/a?xutm_source=x', undefined],
  ['/a?utm_id=x', undefined],
  ['/a?utm_source=%20%00', undefined],
  ['/a?utm_source=first&utm_source=second', 'first'],
  ['/a?utm_source=&utm_source=second', 'second'],
  ['/a?utm_source=50%25%', '50%25%'],
  ['/a?utm_source=a%0D%0Ab%C2%85%7F', 'ab'],
])('of %s the source is %s', (url, source) => {
  expect(readCampaign(url).campaign).toEqual(source === undefined ? undefined : { ...EMPTY, source });
});

test.each([
  ['/a?gclid=Cj0KCQ', true],
  ['/a?b=1&wbraid=x', true],
  ['/a?gbraid=x', true],
  ['/a?dclid=x', true],
  ['/a?msclkid=x', true],
  ['/a?ttclid=x', true],
  ['/a?twclid=x', true],
  ['/a?li_fat_id=x', true],
  ['/a?ScCid=x', true],
  ['/a?bd_vid=x', true],
  ['/a?yclid=x', true],
  ['/a?qz_gdt=x', true],
  ['/a?gclid=', false],
  ['/a?fbclid=x', false],
  ['/a?ysclid=x', false],
  ['/a?xgclid=x', false],
  ['/gclid=x', false],
  ['/a?b=gclid', false],
])('%s is the click of an ad: %s', (url, adClick) => {
  expect(readCampaign(url)).toEqual({ campaign: undefined, adClick });
});

test('whatever the query is, values are short, whole text without control characters', () => {
  const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }).map(encodeURIComponent), fc.string());
  fc.assert(
    fc.property(value, value, (source, term) => {
      const { campaign } = readCampaign(`/a?utm_source=${source}&utm_term=${term}`);
      for (const text of Object.values(campaign ?? {})) {
        expect(text.length).toBeLessThanOrEqual(100);
        expect(text).not.toMatch(/\p{Cc}/u);
        expect(() => encodeURIComponent(text)).not.toThrow();
      }
    }),
  );
  expect(readCampaign(`/a?utm_source=${'x'.repeat(99)}%F0%9F%98%80`).campaign?.source).toBe('x'.repeat(99));
});
