import { accessSync, constants, readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { isNetwork } from './client-address.js';
import { type CrossCheck, millisSetting } from './env.js';
import { splitAddress } from './http-listen.js';
import { type DerivedKey, deriveKeys } from './keys.js';
import type { MongoOptions } from './mongo.js';
import { parseNatsUrl } from './nats-url.js';
import type { RpcTimeouts } from './rpc-client.js';
import type { RpcTls } from './rpc-options.js';

/** Settings that several services share, each group under the name of what it configures. */
export const processSettings = {
  WAYPOST_MODE: z
    .enum(['development', 'production'])
    .default('production')
    .describe('development adds GraphQL introspection, the GraphiQL page and gRPC reflection'),
  WAYPOST_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('least level that is written, as JSON lines'),
};

/** What the driver would refuse later, in an error of its own. It separates hosts by commas, which no URL parser takes. */
const MONGODB_URL =
  /^mongodb(\+srv)?:\/\/([^:@/?]*(:[^@/?]*)?@)?[^:/?@,\s][^/?@,\s]*(,[^:/?@,\s][^/?@,\s]*)*([/?].*)?$/;

export const mongoSettings = {
  WAYPOST_MONGODB_URL: z
    .string()
    .regex(MONGODB_URL, 'is not a mongodb:// URL')
    .describe('MongoDB 6.0 or newer, a replica set (transactions)'),
  WAYPOST_MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,60}$/, 'is not a database name')
    .default('waypost')
    .describe('database of all services'),
  WAYPOST_MONGODB_TIMEOUT_MS: millisSetting(
    6_000,
    'longest that one database operation, a whole transaction included, may take',
  ),
  WAYPOST_MONGODB_COMMIT_WAIT_MS: millisSetting(5_000, 'longest wait for the majority to confirm a write'),
};

export const redisSettings = {
  WAYPOST_REDIS_URL: z
    .string()
    .refine((text) => /^rediss?:\/\//.test(text) && URL.canParse(text), 'is not a redis:// URL')
    .describe('Redis or Valkey 7 or newer; user and password in the URL. A cache only: losing it loses nothing'),
};

export const proxySettings = {
  WAYPOST_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every(isNetwork), 'has an entry that is neither an IP address nor a CIDR')
    .describe('addresses and CIDRs of proxies whose X-Forwarded-For counts, joined by commas; none by default'),
};

export const natsSettings = {
  WAYPOST_NATS_URL: z
    .string()
    .refine((text) => parseNatsUrl(text) !== undefined, 'is not a nats:// URL')
    .describe('NATS 2.12.7 or newer with JetStream; user and password in the URL'),
  WAYPOST_NATS_REPLICAS: z.coerce
    .number()
    .int()
    .refine((n) => [1, 3, 5].includes(n), 'is not 1, 3 or 5')
    .default(1)
    .describe('replicas of each stream; 3 in a cluster'),
};

function pemSetting(description: string) {
  return z.string().refine(isReadable, 'is not a file that can be read').optional().describe(description);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export const rpcSettings = {
  WAYPOST_MASTER_KEYS: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => key.length >= 32), 'has a key shorter than 32 characters')
    .describe('secrets of 32 characters or more, newest first, joined by commas; all keys are derived from them'),
  WAYPOST_RPC_READ_TIMEOUT_MS: millisSetting(300, 'deadline of a gRPC call without an effect, its one retry included'),
  WAYPOST_RPC_WRITE_TIMEOUT_MS: millisSetting(7_000, 'deadline of a gRPC call that writes'),
  WAYPOST_TLS_CERT: pemSetting('PEM file of this process for mutual TLS between services'),
  WAYPOST_TLS_KEY: pemSetting('PEM file of the key of WAYPOST_TLS_CERT'),
  WAYPOST_TLS_CA: pemSetting('PEM file of the CA that signed the peers'),
};

type Values<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>;
type RpcValues = Values<typeof rpcSettings>;

/** What each group of settings becomes: the shape that the rest of the code is given. */
export interface ProcessConfig {
  development: boolean;
  logLevel: string;
}

export type MongoConfig = Pick<MongoOptions, 'url' | 'database' | 'timeoutMs' | 'commitWaitMs'>;

export interface RpcConfig {
  contextKeys: DerivedKey[];
  timeouts: RpcTimeouts;
  tls: RpcTls | undefined;
}

export interface NatsConfig {
  url: string;
  replicas: number;
}

export function processConfig(values: Values<typeof processSettings>): ProcessConfig {
  return { development: values.WAYPOST_MODE === 'development', logLevel: values.WAYPOST_LOG_LEVEL };
}

export function mongoConfig(values: Values<typeof mongoSettings>): MongoConfig {
  return {
    url: values.WAYPOST_MONGODB_URL,
    database: values.WAYPOST_MONGODB_DATABASE,
    timeoutMs: values.WAYPOST_MONGODB_TIMEOUT_MS,
    commitWaitMs: values.WAYPOST_MONGODB_COMMIT_WAIT_MS,
  };
}

export function natsConfig(values: Values<typeof natsSettings>): NatsConfig {
  return { url: values.WAYPOST_NATS_URL, replicas: values.WAYPOST_NATS_REPLICAS };
}

export function rpcConfig(values: RpcValues): RpcConfig {
  const contextKeys = deriveKeys(values.WAYPOST_MASTER_KEYS, 'context');
  return { contextKeys, timeouts: rpcTimeouts(values), tls: rpcTls(values) };
}

export function rpcTimeouts(values: RpcValues): RpcTimeouts {
  return { readMs: values.WAYPOST_RPC_READ_TIMEOUT_MS, writeMs: values.WAYPOST_RPC_WRITE_TIMEOUT_MS };
}

/** Undefined without certificates; all three files or none (tlsIsWhole). */
export function rpcTls(values: RpcValues): RpcTls | undefined {
  const { WAYPOST_TLS_CERT: cert, WAYPOST_TLS_KEY: key, WAYPOST_TLS_CA: ca } = values;
  if (!cert || !key || !ca) return undefined;
  return { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) };
}

export const tlsIsWhole: CrossCheck<RpcValues> = (values) => {
  const given = [values.WAYPOST_TLS_CERT, values.WAYPOST_TLS_KEY, values.WAYPOST_TLS_CA].filter(Boolean).length;
  return given === 0 || given === 3 ? undefined : 'WAYPOST_TLS_CERT, WAYPOST_TLS_KEY, WAYPOST_TLS_CA: give all or none';
};

/** F-8: a caller waits longer than the driver, the driver at least as long as the longest commit. */
export const budgetsAreOrdered: CrossCheck<{
  WAYPOST_RPC_WRITE_TIMEOUT_MS: number;
  WAYPOST_MONGODB_TIMEOUT_MS: number;
  WAYPOST_MONGODB_COMMIT_WAIT_MS: number;
}> = (values) =>
  values.WAYPOST_RPC_WRITE_TIMEOUT_MS > values.WAYPOST_MONGODB_TIMEOUT_MS &&
  values.WAYPOST_MONGODB_TIMEOUT_MS >= values.WAYPOST_MONGODB_COMMIT_WAIT_MS
    ? undefined
    : 'WAYPOST_RPC_WRITE_TIMEOUT_MS > WAYPOST_MONGODB_TIMEOUT_MS >= WAYPOST_MONGODB_COMMIT_WAIT_MS must hold, ' +
      'or a retry could meet its own first attempt';

/** Decisions 19: without mutual TLS nobody but this machine reaches a service. */
export function loopbackWithoutTls<V extends RpcValues>(name: keyof V & string): CrossCheck<V> {
  return (values) => {
    const { host } = splitAddress(String(values[name]));
    const loopback = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
    return loopback || values.WAYPOST_TLS_CERT
      ? undefined
      : `${name}: only a loopback address without WAYPOST_TLS_CERT`;
  };
}

/** What every gRPC service with a database reads. */
export const serviceSettings = { ...processSettings, ...mongoSettings, ...rpcSettings };

export interface ServiceConfig {
  process: ProcessConfig;
  mongo: MongoConfig;
  rpc: RpcConfig;
}

export function serviceConfig(values: Values<typeof serviceSettings>): ServiceConfig {
  return { process: processConfig(values), mongo: mongoConfig(values), rpc: rpcConfig(values) };
}

/** What must hold between a service's settings; `address` names the one of its gRPC server. */
export function serviceChecks<V extends Values<typeof serviceSettings>>(address: keyof V & string): CrossCheck<V>[] {
  return [tlsIsWhole, budgetsAreOrdered, loopbackWithoutTls<V>(address)];
}
