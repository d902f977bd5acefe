import { z } from 'zod';
import { addressSetting, type Env, readEnv } from '../../runtime/env.js';
import { type ServiceConfig, serviceChecks, serviceConfig, serviceSettings } from '../../runtime/settings.js';

export const settings = {
  WAYPOST_TENANT_ADDRESS: addressSetting('127.0.0.1:7001', 'gRPC address of the tenant service'),
  WAYPOST_TENANT_METRICS_ADDRESS: addressSetting('127.0.0.1:9102', 'metrics of the tenant service'),
  WAYPOST_BOOTSTRAP_KEY: z
    .string()
    .min(32, 'is shorter than 32 characters')
    .optional()
    .describe('API key of the first tenant, set at the first start only; stored hashed'),
  ...serviceSettings,
};

export interface TenantConfig extends ServiceConfig {
  address: string;
  metricsAddress: string;
  /** Makes the first tenant with this key, once. */
  bootstrapKey: string | undefined;
}

export function readConfig(env: Env): TenantConfig {
  const values = readEnv('tenant', settings, env, serviceChecks('WAYPOST_TENANT_ADDRESS'));
  return Object.freeze({
    address: values.WAYPOST_TENANT_ADDRESS,
    metricsAddress: values.WAYPOST_TENANT_METRICS_ADDRESS,
    bootstrapKey: values.WAYPOST_BOOTSTRAP_KEY,
    ...serviceConfig(values),
  });
}
