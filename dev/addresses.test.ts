import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { chooseAddresses } from './addresses.js';

const portOf = (address: string | undefined) => Number(address?.split(':').at(-1));

test('a port that is taken is passed over for the next free one', async () => {
  const before = portOf((await chooseAddresses({}, false)).WAYPOST_GATEWAY_ADDRESS);
  const squatter = createServer();
  await once(squatter.listen(before, '127.0.0.1'), 'listening');
  try {
    const after = portOf((await chooseAddresses({}, false)).WAYPOST_GATEWAY_ADDRESS);
    expect(after).toBeGreaterThan(before);
    expect((squatter.address() as AddressInfo).port).toBe(before);
  } finally {
    squatter.close();
  }
});

test('an address that is set is kept as it is, and no two services get the same', async () => {
  const chosen = await chooseAddresses({ WAYPOST_LINK_ADDRESS: '127.0.0.1:4567' }, true);
  expect(chosen.WAYPOST_LINK_ADDRESS).toBe('127.0.0.1:4567');
  expect(new Set(Object.values(chosen)).size).toBe(Object.keys(chosen).length);
});
