import { addressSetting, type CrossCheck, type Env, readEnv } from '../runtime/env.js';
import {
  type ProcessConfig,
  processConfig,
  processSettings,
  proxySettings,
  type RpcConfig,
  rpcConfig,
  rpcSettings,
  tlsIsWhole,
} from '../runtime/settings.js';
import { REQUEST_MS } from './limits.js';

export const settings = {
  WAYPOST_GATEWAY_ADDRESS: addressSetting('127.0.0.1:4000', 'public HTTP address of the GraphQL API'),
  WAYPOST_GATEWAY_METRICS_ADDRESS: addressSetting('127.0.0.1:9100', 'metrics of the gateway'),
  WAYPOST_TENANT_ADDRESS: addressSetting('127.0.0.1:7001', 'gRPC address of the tenant service'),
  WAYPOST_LINK_ADDRESS: addressSetting('127.0.0.1:7002', 'gRPC address of the link service'),
  WAYPOST_DOMAIN_ADDRESS: addressSetting('127.0.0.1:7003', 'gRPC address of the domain service'),
  WAYPOST_STATS_ADDRESS: addressSetting('127.0.0.1:7005', 'gRPC address of the stats service'),
  ...proxySettings,
  ...processSettings,
  ...rpcSettings,
};

export interface GatewayConfig {
  address: string;
  metricsAddress: string;
  /** gRPC addresses, host:port */
  services: { tenant: string; link: string; domain: string; stats: string };
  trustedProxies: readonly string[];
  process: ProcessConfig;
  rpc: RpcConfig;
}

/** F-8: a write that is still under way when its request ends would answer nobody. */
const writesFitTheRequest: CrossCheck<{ WAYPOST_RPC_WRITE_TIMEOUT_MS: number }> = (values) =>
  values.WAYPOST_RPC_WRITE_TIMEOUT_MS < REQUEST_MS
    ? undefined
    : `WAYPOST_RPC_WRITE_TIMEOUT_MS must be less than the ${REQUEST_MS} ms of a whole request`;

export function readConfig(env: Env): GatewayConfig {
  const values = readEnv('gateway', settings, env, [tlsIsWhole, writesFitTheRequest]);
  return Object.freeze({
    address: values.WAYPOST_GATEWAY_ADDRESS,
    metricsAddress: values.WAYPOST_GATEWAY_METRICS_ADDRESS,
    services: {
      tenant: values.WAYPOST_TENANT_ADDRESS,
      link: values.WAYPOST_LINK_ADDRESS,
      domain: values.WAYPOST_DOMAIN_ADDRESS,
      stats: values.WAYPOST_STATS_ADDRESS,
    },
    trustedProxies: values.WAYPOST_TRUSTED_PROXIES,
    process: processConfig(values),
    rpc: rpcConfig(values),
  });
}
