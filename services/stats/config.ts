import { addressSetting, type Env, readEnv } from '../../runtime/env.js';
import {
  type NatsConfig,
  natsConfig,
  natsSettings,
  redisSettings,
  type ServiceConfig,
  serviceChecks,
  serviceConfig,
  serviceSettings,
} from '../../runtime/settings.js';

export const settings = {
  WAYPOST_STATS_ADDRESS: addressSetting('127.0.0.1:7005', 'gRPC address of the stats service'),
  WAYPOST_STATS_METRICS_ADDRESS: addressSetting('127.0.0.1:9106', 'metrics of the stats service'),
  ...serviceSettings,
  ...redisSettings,
  ...natsSettings,
};

export interface StatsConfig extends ServiceConfig {
  address: string;
  metricsAddress: string;
  redis: { url: string };
  nats: NatsConfig;
}

export function readConfig(env: Env): StatsConfig {
  const values = readEnv('stats', settings, env, serviceChecks('WAYPOST_STATS_ADDRESS'));
  return Object.freeze({
    address: values.WAYPOST_STATS_ADDRESS,
    metricsAddress: values.WAYPOST_STATS_METRICS_ADDRESS,
    ...serviceConfig(values),
    redis: { url: values.WAYPOST_REDIS_URL },
    nats: natsConfig(values),
  });
}
