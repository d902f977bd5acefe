import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../runtime/log.js';
import { Watch } from './watch.js';

const OVERLAP_MS = 10_000;

let polls: { at: number; window: number }[];
let confirmed: number[];
let answer: () => Promise<void>;
let watch: Watch;
let began: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  polls = [];
  confirmed = [];
  answer = async () => undefined;
  began = performance.now();
  watch = new Watch({
    name: 'test',
    poll: (window) => {
      polls.push({ at: performance.now() - began, window });
      return answer();
    },
    onConfirm: (at) => void confirmed.push(at - began),
    log: createLog('test', 'silent'),
  });
  await watch.start();
});

afterEach(async () => {
  await watch.stop();
  vi.useRealTimers();
});

/** Lets time pass, with a beat every 200 ms or without. */
async function pass(ms: number, beats: boolean): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    if (beats && passed % 200 === 0) watch.heard();
    await vi.advanceTimersByTimeAsync(100);
  }
}

test('without a beat it polls at the start and then every second, each time from the last poll on', async () => {
  await pass(3_050, false);
  expect(polls.map(({ at }) => at)).toEqual([0, 1_000, 2_000, 3_000]);
  expect(polls.map(({ window }) => window)).toEqual([0, 1_000, 1_000, 1_000].map((ms) => ms + OVERLAP_MS));
  expect(confirmed.at(-1)).toBe(3_000);
  expect(watch.caughtUp).toBe(false);
});

test('with a beat it polls once more, and then the stream alone is enough', async () => {
  await pass(10_000, true);
  expect(polls.map(({ at }) => at)).toEqual([0, 1_000]);
  expect(watch.caughtUp).toBe(true);
  expect(confirmed.at(-1)).toBe(9_800);
});

test('when the beat is lost it polls within half a second, from the last beat on', async () => {
  await pass(10_000, true);
  await pass(600, false);
  const { at, window } = polls.at(-1) ?? { at: 0, window: 0 };
  expect(at).toBeGreaterThan(10_000);
  expect(at).toBeLessThanOrEqual(10_400);
  expect(window).toBe(at - 9_800 + OVERLAP_MS);
});

test('a beat alone does not make up for what was missed in silence: a poll that began after it must succeed', async () => {
  await pass(2_000, true);
  answer = () => Promise.reject(new Error('away'));
  await pass(2_000, false);
  await pass(3_000, true);
  expect(watch.caughtUp).toBe(false);
  answer = async () => undefined;
  await pass(1_000, true);
  expect(watch.caughtUp).toBe(true);
  expect(polls.at(-1)?.window).toBeGreaterThan(5_000 + OVERLAP_MS);
});

test('a doubt is polled at once, and one that comes during a poll is polled again', async () => {
  await pass(2_000, true);
  const before = polls.length;
  let finish: () => void = () => undefined;
  answer = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  watch.doubt();
  await pass(100, true);
  expect(polls.length).toBe(before + 1);
  watch.doubt();
  finish();
  answer = async () => undefined;
  await pass(200, true);
  expect(polls.length).toBe(before + 2);
  expect(watch.caughtUp).toBe(true);
});
