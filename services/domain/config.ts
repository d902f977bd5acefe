import { z } from 'zod';
import { addressSetting, type Env, readEnv } from '../../runtime/env.js';
import {
  budgetsAreOrdered,
  loopbackWithoutTls,
  type MongoConfig,
  mongoConfig,
  mongoSettings,
  type NatsConfig,
  natsConfig,
  natsSettings,
  type ProcessConfig,
  processConfig,
  processSettings,
  type RpcConfig,
  rpcConfig,
  rpcSettings,
  tlsIsWhole,
} from '../../runtime/settings.js';

export const settings = {
  WAYPOST_DOMAIN_ADDRESS: addressSetting('127.0.0.1:7003', 'gRPC address of the domain service'),
  WAYPOST_DOMAIN_METRICS_ADDRESS: addressSetting('127.0.0.1:9104', 'metrics of the domain service'),
  WAYPOST_DEFAULT_ORIGIN: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/, 'is not scheme://host or scheme://host:port in lower case')
    .default('http://localhost:8080')
    .describe('scheme, host and port of the short URLs of the first domain; its host is registered at the start'),
  ...processSettings,
  ...mongoSettings,
  ...natsSettings,
  ...rpcSettings,
};

export interface DomainConfig {
  address: string;
  metricsAddress: string;
  defaultOrigin: string;
  process: ProcessConfig;
  mongo: MongoConfig;
  nats: NatsConfig;
  rpc: RpcConfig;
}

export function readConfig(env: Env): DomainConfig {
  const values = readEnv('domain', settings, env, [
    tlsIsWhole,
    budgetsAreOrdered,
    loopbackWithoutTls('WAYPOST_DOMAIN_ADDRESS'),
  ]);
  return Object.freeze({
    address: values.WAYPOST_DOMAIN_ADDRESS,
    metricsAddress: values.WAYPOST_DOMAIN_METRICS_ADDRESS,
    defaultOrigin: values.WAYPOST_DEFAULT_ORIGIN,
    process: processConfig(values),
    mongo: mongoConfig(values),
    nats: natsConfig(values),
    rpc: rpcConfig(values),
  });
}
