import { expect, it } from 'vitest';
import { readConfig } from './config.js';

const KEYS = { WAYPOST_MASTER_KEYS: 'a-master-key-for-tests-of-no-other-use' };

it('needs nothing but the master keys, listens on loopback and trusts no proxy', () => {
  const config = readConfig(KEYS);
  expect(config).toMatchObject({
    address: '127.0.0.1:4000',
    metricsAddress: '127.0.0.1:9100',
    services: { tenant: '127.0.0.1:7001', link: '127.0.0.1:7002', domain: '127.0.0.1:7003', stats: '127.0.0.1:7005' },
    trustedProxies: [],
    process: { development: false },
  });
  expect(config.rpc.contextKeys).toHaveLength(1);
});

it('reads a list of proxies', () => {
  const config = readConfig({ ...KEYS, WAYPOST_TRUSTED_PROXIES: ' 10.0.0.0/8, ::1 ,' });
  expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
});

it('names every bad setting at once', () => {
  const env = {
    WAYPOST_TRUSTED_PROXIES: 'proxy.example',
    WAYPOST_GATEWAY_ADDRESS: '4000',
    WAYPOST_MASTER_KEYS: 'short',
  };
  expect(() => readConfig(env)).toThrow(
    /WAYPOST_GATEWAY_ADDRESS[\s\S]*WAYPOST_TRUSTED_PROXIES[\s\S]*WAYPOST_MASTER_KEYS/,
  );
});

it('refuses a write deadline that outlives the request (F-8)', () => {
  expect(() => readConfig({ ...KEYS, WAYPOST_RPC_WRITE_TIMEOUT_MS: '10000' })).toThrow(/less than the 10000 ms/);
});
