import { describe, expect, it } from 'vitest';
import { isTimeZone, onClock } from './time-zone.js';

describe('time zone names', () => {
  it('are those of IANA, links and any case included', () => {
    const names = ['UTC', 'utc', 'Europe/Berlin', 'europe/BERLIN', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kyiv'];
    names.push(
      'America/Argentina/Buenos_Aires',
      'America/Port-au-Prince',
      'Etc/GMT+8',
      'GMT',
      'EST',
      'CET',
      'PRC',
      'GB',
    );
    names.push(...Intl.supportedValuesOf('timeZone'));
    expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
  });

  it('are refused when they are offsets, abbreviations that only ICU knows, or no names at all', () => {
    const names = ['+08:00', '-0300', '+08', 'Z', 'UTC+8', 'GMT+8', 'JST', 'IST', 'pst', 'SystemV/PST8', 'Etc/Unknown'];
    names.push(
      '',
      ' ',
      '__proto__',
      'constructor',
      'Mars/Phobos',
      'Europe/Berlin ',
      'Europe\0/Berlin',
      'Europe//Berlin',
    );
    names.push('../Europe/Berlin', 'Europe/Berlin\n', 'x'.repeat(1_000_000), 'Europe/'.repeat(100_000));
    expect(names.filter(isTimeZone)).toEqual([]);
  });

  it('show the clock of the zone that they name, in every spelling', () => {
    for (const name of ['Asia/Kolkata', 'Asia/Calcutta', 'aSIA/kOLKATA']) {
      expect(onClock(0, name).toPlainTime().toString()).toBe('05:30:00');
    }
    for (const name of Intl.supportedValuesOf('timeZone')) {
      const shown = new Intl.DateTimeFormat('en-u-hc-h23', { timeZone: name, timeStyle: 'medium' }).format(1e12);
      expect(`${name} ${onClock(1e12, name).toPlainTime()}`).toBe(`${name} ${shown}`);
    }
  });

  it('have no clock when they are refused', () => {
    for (const name of ['+08:00', 'JST', '']) expect(() => onClock(0, name)).toThrow(RangeError);
  });
});
