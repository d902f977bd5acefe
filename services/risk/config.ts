import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { addressSetting, type Env, readEnv } from '../../runtime/env.js';
import { type ServiceConfig, serviceChecks, serviceConfig, serviceSettings } from '../../runtime/settings.js';

import { parseHostList } from './host-list.js';

export const settings = {
  WAYPOST_RISK_ADDRESS: addressSetting('127.0.0.1:7004', 'gRPC address of the risk service'),
  WAYPOST_RISK_METRICS_ADDRESS: addressSetting('127.0.0.1:9105', 'metrics of the risk service'),
  WAYPOST_DOMAIN_ADDRESS: addressSetting('127.0.0.1:7003', 'gRPC address of the domain service'),
  WAYPOST_RISK_HOST_LIST: z
    .string()
    .refine(isHostList, 'is not a readable file of lines `BLOCK|REVIEW|WARN host reason`')
    .optional()
    .describe(
      'file of lines `BLOCK|REVIEW|WARN host reason`, read at the start; an entry holds for its subdomains too',
    ),
  ...serviceSettings,
};

export interface RiskConfig extends ServiceConfig {
  address: string;
  metricsAddress: string;
  domainAddress: string;
  hostListFile: string | undefined;
}

export function readConfig(env: Env): RiskConfig {
  const values = readEnv('risk', settings, env, serviceChecks('WAYPOST_RISK_ADDRESS'));
  return Object.freeze({
    address: values.WAYPOST_RISK_ADDRESS,
    metricsAddress: values.WAYPOST_RISK_METRICS_ADDRESS,
    domainAddress: values.WAYPOST_DOMAIN_ADDRESS,
    hostListFile: values.WAYPOST_RISK_HOST_LIST,
    ...serviceConfig(values),
  });
}

function isHostList(file: string): boolean {
  try {
    parseHostList(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
