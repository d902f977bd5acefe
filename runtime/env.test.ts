import { expect, test } from 'vitest';
import { z } from 'zod';
import { addressSetting, type Env, readEnv } from './env.js';
import { parseNatsUrl } from './nats-url.js';
import {
  budgetsAreOrdered,
  loopbackWithoutTls,
  mongoSettings,
  natsSettings,
  processSettings,
  redisSettings,
  rpcConfig,
  rpcSettings,
  tlsIsWhole,
} from './settings.js';

const SECRET = 'hunter2-hunter2';
const SHAPE = {
  WAYPOST_X_ADDRESS: addressSetting('127.0.0.1:7000', 'address'),
  ...processSettings,
  ...mongoSettings,
  ...redisSettings,
  ...natsSettings,
  ...rpcSettings,
};
const GOOD = {
  WAYPOST_MONGODB_URL: 'mongodb://user:pass@one.example:27017,two.example/?replicaSet=rs',
  WAYPOST_REDIS_URL: 'redis://user:pass@cache.example:6379',
  WAYPOST_NATS_URL: 'nats://user:pass@one.example:4222,two.example:4222',
  WAYPOST_MASTER_KEYS: 'a-master-key-for-tests-of-no-other-use',
};

function read(changes: Env = {}) {
  return readEnv('x', SHAPE, { ...GOOD, ...changes }, [
    tlsIsWhole,
    budgetsAreOrdered,
    loopbackWithoutTls('WAYPOST_X_ADDRESS'),
  ]);
}

/** The text of the refusal: what an operator reads, and what a log collector keeps. */
function refusal(changes: Env): string {
  try {
    read(changes);
  } catch (error) {
    expect((error as Error).name).toBe('ConfigError');
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

test('good settings become a frozen object with the defaults of what was left out', () => {
  const values = read();
  expect(values).toMatchObject({
    WAYPOST_X_ADDRESS: '127.0.0.1:7000',
    WAYPOST_MODE: 'production',
    WAYPOST_NATS_REPLICAS: 1,
    WAYPOST_RPC_READ_TIMEOUT_MS: 300,
  });
  expect(Object.isFrozen(values)).toBe(true);
});

test('all bad settings are named at once', () => {
  const bad = {
    WAYPOST_X_ADDRESS: '7000',
    WAYPOST_MODE: 'fast',
    WAYPOST_MONGODB_URL: 'http://one.example',
    WAYPOST_MONGODB_TIMEOUT_MS: '0',
    WAYPOST_REDIS_URL: 'one.example',
    WAYPOST_NATS_URL: undefined,
    WAYPOST_NATS_REPLICAS: '2',
    WAYPOST_MASTER_KEYS: 'short',
    WAYPOST_RPC_READ_TIMEOUT_MS: 'soon',
  };
  const text = refusal(bad);
  for (const name of Object.keys(bad)) expect(text).toContain(`${name}: `);
  expect(text).toMatch(/^x can't start: 9 bad setting\(s\)/);
});

test('an empty variable counts as absent', () => {
  expect(read({ WAYPOST_MODE: '', WAYPOST_TLS_CERT: '' })).toMatchObject({
    WAYPOST_MODE: 'production',
    WAYPOST_TLS_CERT: undefined,
  });
  expect(refusal({ WAYPOST_MONGODB_URL: '' })).toContain('WAYPOST_MONGODB_URL');
});

test.each([
  { WAYPOST_RPC_WRITE_TIMEOUT_MS: '6000' },
  { WAYPOST_MONGODB_TIMEOUT_MS: '7000' },
  { WAYPOST_MONGODB_COMMIT_WAIT_MS: '6001' },
])('time budgets out of order are refused, so that no retry meets its own first attempt (F-8): %o', (changes) => {
  expect(refusal(changes)).toContain(
    'WAYPOST_RPC_WRITE_TIMEOUT_MS > WAYPOST_MONGODB_TIMEOUT_MS >= WAYPOST_MONGODB_COMMIT_WAIT_MS',
  );
});

test('a commit wait equal to the driver time-out is in order', () => {
  expect(read({ WAYPOST_MONGODB_COMMIT_WAIT_MS: '6000' })).toBeDefined();
});

test.each([
  { WAYPOST_TLS_CERT: 'package.json' },
  { WAYPOST_TLS_KEY: 'package.json' },
  { WAYPOST_TLS_CERT: 'package.json', WAYPOST_TLS_CA: 'package.json' },
])('TLS is given whole or not at all: %o', (changes) => {
  expect(refusal(changes)).toContain('give all or none');
});

test('a certificate that cannot be read is a bad setting, named with the others', () => {
  const text = refusal({
    WAYPOST_TLS_CERT: '/nowhere/cert.pem',
    WAYPOST_TLS_KEY: 'package.json',
    WAYPOST_TLS_CA: '/nowhere/ca.pem',
    WAYPOST_MODE: 'fast',
  });
  expect(text).toContain('WAYPOST_TLS_CERT: ');
  expect(text).toContain('WAYPOST_TLS_CA: ');
  expect(text).toContain('WAYPOST_MODE: ');
  expect(text).not.toContain('WAYPOST_TLS_KEY: ');
});

test.each(['0.0.0.0:7000', '[::]:7000', '10.0.0.1:7000', 'host.example:7000', '127.evil.example:7000'])(
  'without TLS no service listens beyond loopback: %s',
  (address) => {
    expect(refusal({ WAYPOST_X_ADDRESS: address })).toContain('WAYPOST_X_ADDRESS: only a loopback address');
  },
);

test.each(['127.0.0.1:7000', '127.1.2.3:0', 'localhost:7000', '[::1]:7000'])('loopback needs no TLS: %s', (address) => {
  expect(read({ WAYPOST_X_ADDRESS: address }).WAYPOST_X_ADDRESS).toBe(address);
});

test('with TLS a service listens anywhere', () => {
  const tls = { WAYPOST_TLS_CERT: 'package.json', WAYPOST_TLS_KEY: 'package.json', WAYPOST_TLS_CA: 'package.json' };
  expect(rpcConfig(read({ ...tls, WAYPOST_X_ADDRESS: '0.0.0.0:7000' })).tls?.ca.length).toBeGreaterThan(0);
});

test('all broken relations between settings are named at once', () => {
  const text = refusal({
    WAYPOST_TLS_KEY: 'package.json',
    WAYPOST_RPC_WRITE_TIMEOUT_MS: '1',
    WAYPOST_X_ADDRESS: '0.0.0.0:1',
  });
  expect(text).toMatch(/give all or none[\s\S]*must hold[\s\S]*only a loopback address/);
});

test.each<Env>([
  { WAYPOST_MASTER_KEYS: SECRET },
  { WAYPOST_MASTER_KEYS: `${GOOD.WAYPOST_MASTER_KEYS},${SECRET}` },
  { WAYPOST_MONGODB_URL: `mongo://user:${SECRET}@one.example` },
  { WAYPOST_MONGODB_URL: `mongodb://user:${SECRET}@` },
  { WAYPOST_MONGODB_URL: `mongodb://user:${SECRET}@one.example@two.example` },
  { WAYPOST_REDIS_URL: `http://user:${SECRET}@one.example` },
  { WAYPOST_REDIS_URL: `redis://user:${SECRET}@one.example:port` },
  { WAYPOST_NATS_URL: `user:${SECRET}@one.example` },
  { WAYPOST_NATS_URL: `nats://user:${SECRET}@one.example:port` },
  { WAYPOST_NATS_URL: `nats://user:${SECRET}%@one.example` },
  { WAYPOST_NATS_URL: `nats://user:${SECRET}@one.example:4222,two.example:port` },
])('a refused secret is not repeated in the refusal, and neither is a URL with a password (T-10): #%#', (changes) => {
  const text = refusal(changes);
  expect(text).toContain(Object.keys(changes)[0]);
  expect(text).not.toContain(SECRET);
});

test('a key list with a gap is refused: a key of no characters would verify what anybody signs', () => {
  expect(refusal({ WAYPOST_MASTER_KEYS: `${GOOD.WAYPOST_MASTER_KEYS},` })).toContain('WAYPOST_MASTER_KEYS');
});

test('a NATS URL names several servers, and its user once', () => {
  expect(parseNatsUrl('nats://us%40er:p%2Css@one.example:4222,two.example:4222')).toEqual({
    servers: ['one.example:4222', 'two.example:4222'],
    user: 'us@er',
    pass: 'p,ss',
  });
  expect(parseNatsUrl('tls://one.example:4222,tls://x:y@[::1]:4222')).toEqual({
    servers: ['tls://one.example:4222', 'tls://[::1]:4222'],
  });
});

test('a setting that nobody declared is not read', () => {
  expect(readEnv('x', { A: z.string() }, { A: '1', B: '2' })).toEqual({ A: '1' });
});
