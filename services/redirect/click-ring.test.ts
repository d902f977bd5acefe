import { expect, test } from 'vitest';
import { ClickRing, type DropClass } from './click-ring.js';

const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1';
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';

function ring(limit: number, partitions = 2) {
  const dropped: DropClass[] = [];
  const made = new ClickRing(partitions, limit, (_click, dropClass) => dropped.push(dropClass));
  const push = (partition: number, userAgent: string, name = 0) =>
    made.push(partition, { tenantId: `ten_${name}`, timeMs: name, userAgent, encoded: Buffer.from([name]) });
  const names = (partition: number) => made.take(partition, 100).map(({ encoded }) => encoded[0]);
  return { made, push, names, dropped };
}

test('clicks leave in their order, by partition', () => {
  const { made, push, names } = ring(10);
  for (const name of [1, 2, 3]) push(0, PERSON, name);
  push(1, PERSON, 9);
  expect(made.take(0, 2)).toHaveLength(2);
  expect([names(0), names(1), made.size]).toEqual([[3], [9], 0]);
});

test('when it is full bots go before people, and an empty user agent is a bot', () => {
  const { push, names, dropped } = ring(4);
  push(0, PERSON, 1);
  push(0, BOT, 2);
  push(1, '', 3);
  push(1, PERSON, 4);
  push(0, BOT, 5);
  expect(dropped).toEqual(['bot']);
  push(0, PERSON, 6);
  push(0, PERSON, 7);
  expect(dropped).toEqual(['bot', 'bot', 'bot']);
  push(0, PERSON, 8);
  expect(dropped).toEqual(['bot', 'bot', 'bot', 'other']);
  expect([names(0), names(1)]).toEqual([[1, 6, 7], [4]]);
});

test('however it is used, what went in is there or counted as dropped', () => {
  const { made, push, dropped } = ring(50);
  let taken = 0;
  for (let i = 0; i < 5_000; i++) {
    push(i % 2, i % 3 === 0 ? BOT : PERSON);
    if (i % 97 === 0) taken += made.take(i % 2, 20).length;
  }
  expect(made.size).toBe(made.waiting(0) + made.waiting(1));
  expect(taken + made.size + dropped.length).toBe(5_000);
});
