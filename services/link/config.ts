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
  WAYPOST_LINK_ADDRESS: addressSetting('127.0.0.1:7002', 'gRPC address of the link service'),
  WAYPOST_LINK_METRICS_ADDRESS: addressSetting('127.0.0.1:9103', 'metrics of the link service'),
  WAYPOST_DOMAIN_ADDRESS: addressSetting('127.0.0.1:7003', 'gRPC address of the domain service'),
  WAYPOST_RISK_ADDRESS: addressSetting('127.0.0.1:7004', 'gRPC address of the risk service'),
  ...serviceSettings,
  ...redisSettings,
  ...natsSettings,
};

export interface LinkConfig extends ServiceConfig {
  address: string;
  metricsAddress: string;
  domainAddress: string;
  riskAddress: string;
  redisUrl: string;
  nats: NatsConfig;
}

export function readConfig(env: Env): LinkConfig {
  const values = readEnv('link', settings, env, serviceChecks('WAYPOST_LINK_ADDRESS'));
  return Object.freeze({
    address: values.WAYPOST_LINK_ADDRESS,
    metricsAddress: values.WAYPOST_LINK_METRICS_ADDRESS,
    domainAddress: values.WAYPOST_DOMAIN_ADDRESS,
    riskAddress: values.WAYPOST_RISK_ADDRESS,
    redisUrl: values.WAYPOST_REDIS_URL,
    ...serviceConfig(values),
    nats: natsConfig(values),
  });
}
