import { z } from 'zod';
import { addressSetting, type Env, millisSetting, readEnv } from '../../runtime/env.js';
import {
  type MongoConfig,
  mongoConfig,
  mongoSettings,
  type NatsConfig,
  natsConfig,
  natsSettings,
  type ProcessConfig,
  processConfig,
  processSettings,
  proxySettings,
  redisSettings,
} from '../../runtime/settings.js';

export const settings = {
  WAYPOST_REDIRECT_ADDRESS: addressSetting('127.0.0.1:8080', 'address at which short links are answered'),
  WAYPOST_REDIRECT_METRICS_ADDRESS: addressSetting('127.0.0.1:9101', 'metrics of the redirect'),
  WAYPOST_REDIRECT_DATA_DIR: z
    .string()
    .default('.waypost/redirect')
    .describe(
      'directory of one process: the last known hosts, for a start without MongoDB, and clicks that wait for NATS',
    ),
  WAYPOST_STALE_MAX_MS: millisSetting(
    600_000,
    'how long a link is served from memory while nothing can be read anew, and a pod that reaches neither NATS nor ' +
      'MongoDB serves at all',
  ),
  WAYPOST_L1_ENTRIES: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(100_000)
    .describe('links that a process keeps in memory'),
  WAYPOST_L1_TTL_MS: z.coerce
    .number()
    .int()
    .min(15_000)
    .max(45_000)
    .default(30_000)
    .describe('mean life of a link in memory, in milliseconds; spread by a third to each side (10 to 60 s, K-1)'),
  WAYPOST_CLICK_SPOOL_BYTES: z.coerce
    .number()
    .int()
    .min(1024 * 1024)
    .max(1024 ** 4)
    .default(256 * 1024 * 1024)
    .describe('bytes in the data directory for clicks that wait for NATS; what does not fit is dropped, bots first'),
  ...proxySettings,
  ...processSettings,
  ...mongoSettings,
  ...redisSettings,
  ...natsSettings,
};

export interface RedirectConfig {
  address: string;
  metricsAddress: string;
  dataDir: string;
  staleMaxMs: number;
  l1: { entries: number; ttlMs: number };
  spoolBytes: number;
  trustedProxies: readonly string[];
  process: ProcessConfig;
  mongo: MongoConfig;
  redis: { url: string };
  nats: NatsConfig;
}

export function readConfig(env: Env): RedirectConfig {
  const values = readEnv('redirect', settings, env);
  return Object.freeze({
    address: values.WAYPOST_REDIRECT_ADDRESS,
    metricsAddress: values.WAYPOST_REDIRECT_METRICS_ADDRESS,
    dataDir: values.WAYPOST_REDIRECT_DATA_DIR,
    staleMaxMs: values.WAYPOST_STALE_MAX_MS,
    l1: { entries: values.WAYPOST_L1_ENTRIES, ttlMs: values.WAYPOST_L1_TTL_MS },
    spoolBytes: values.WAYPOST_CLICK_SPOOL_BYTES,
    trustedProxies: values.WAYPOST_TRUSTED_PROXIES,
    process: processConfig(values),
    mongo: mongoConfig(values),
    redis: { url: values.WAYPOST_REDIS_URL },
    nats: natsConfig(values),
  });
}
