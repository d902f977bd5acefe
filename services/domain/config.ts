import { z } from 'zod';
import { addressSetting, type Env, readEnv } from '../../runtime/env.js';
import {
  type NatsConfig,
  natsConfig,
  natsSettings,
  type ServiceConfig,
  serviceChecks,
  serviceConfig,
  serviceSettings,
} from '../../runtime/settings.js';

export const settings = {
  WAYPOST_DOMAIN_ADDRESS: addressSetting('127.0.0.1:7003', 'gRPC address of the domain service'),
  WAYPOST_DOMAIN_METRICS_ADDRESS: addressSetting('127.0.0.1:9104', 'metrics of the domain service'),
  WAYPOST_DEFAULT_ORIGIN: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/, 'is not scheme://host or scheme://host:port in lower case')
    .default('http://localhost:8080')
    .describe('scheme, host and port of the short URLs of the first domain; its host is registered at the start'),
  ...serviceSettings,
  ...natsSettings,
};

export interface DomainConfig extends ServiceConfig {
  address: string;
  metricsAddress: string;
  defaultOrigin: string;
  nats: NatsConfig;
}

export function readConfig(env: Env): DomainConfig {
  const values = readEnv('domain', settings, env, serviceChecks('WAYPOST_DOMAIN_ADDRESS'));
  return Object.freeze({
    address: values.WAYPOST_DOMAIN_ADDRESS,
    metricsAddress: values.WAYPOST_DOMAIN_METRICS_ADDRESS,
    defaultOrigin: values.WAYPOST_DEFAULT_ORIGIN,
    ...serviceConfig(values),
    nats: natsConfig(values),
  });
}
