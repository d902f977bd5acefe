import { beforeAll, expect, test } from 'vitest';
import { Countries } from './country.js';

let countries: Countries;
beforeAll(async () => {
  countries = await Countries.open();
});

test.each([
  ['8.8.8.8', 'US'],
  ['240e::1', 'CN'],
  ['114.114.114.114', 'CN'],
  ['127.0.0.1', ''],
  ['', ''],
  ['no address', ''],
])('%s is in "%s"', (address, country) => {
  expect(countries.of(address)).toBe(country);
});
