import { expect, it } from 'vitest';
import { allowedCpus, cpuMs, cpuMsOf, cpusOf, rssMiB } from './proc.js';

it('CPU time is read behind a name that looks like fields', () => {
  const line = '42 (a) S 9 9) S 1 42 42 0 -1 4194304 100 0 0 0 250 125 7 7 20 0 11 0 100 0 0';
  expect(cpuMsOf(line)).toBe(3_750);
  expect(() => cpuMsOf('42 (short) S 1')).toThrow('not a line');
});

it('CPU time of a process grows by about what it has used', () => {
  const before = cpuMs(process.pid);
  const own = process.cpuUsage();
  let used = 0;
  while (used < 300) {
    const { user, system } = process.cpuUsage(own);
    used = (user + system) / 1_000;
  }
  expect(cpuMs(process.pid) - before).toBeGreaterThanOrEqual(250);
  expect(cpuMs(process.pid) - before).toBeLessThan(1_500);
});

it('memory is in MiB', () => {
  const own = process.memoryUsage.rss() / 2 ** 20;
  expect(rssMiB(process.pid)).toBeGreaterThan(own / 2);
  expect(rssMiB(process.pid)).toBeLessThan(own * 2);
});

it('a list of CPUs is read with its ranges', () => {
  expect(cpusOf('0')).toEqual([0]);
  expect(cpusOf('0-2,8,10-11')).toEqual([0, 1, 2, 8, 10, 11]);
  expect(allowedCpus().length).toBeGreaterThan(0);
});
