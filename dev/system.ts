import { join } from 'node:path';
import { readConfig as gatewayConfig } from '../gateway/config.js';
import { startGateway } from '../gateway/service.js';
import { ConfigError, type Env } from '../runtime/env.js';
import { type Lifecycle, startParts } from '../runtime/lifecycle.js';
import { createLog } from '../runtime/log.js';
import { readConfig as domainConfig } from '../services/domain/config.js';
import { startDomain } from '../services/domain/service.js';
import { readConfig as linkConfig } from '../services/link/config.js';
import { startLink } from '../services/link/service.js';
import { readConfig as redirectConfig } from '../services/redirect/config.js';
import { startRedirect } from '../services/redirect/service.js';
import { readConfig as riskConfig } from '../services/risk/config.js';
import { startRisk } from '../services/risk/service.js';
import { readConfig as statsConfig } from '../services/stats/config.js';
import { startStats } from '../services/stats/service.js';
import { readConfig as tenantConfig } from '../services/tenant/config.js';
import { startTenant } from '../services/tenant/service.js';
import { type Addresses, chooseAddresses } from './addresses.js';
import { createCredentials, masterKey, withCredentials } from './credentials.js';
import { type EngineOptions, type Engines, startEngines } from './engines.js';

/** The services in the order of their start; each one's settings come from the same environment. */
export const ROLES = ['tenant', 'domain', 'risk', 'link', 'stats', 'redirect', 'gateway'] as const;
export type Role = (typeof ROLES)[number];

const START_ATTEMPTS = 3;

export interface SystemOptions {
  dataDir: string;
  /** Settings by their names; they win over what is chosen here. */
  env: Env;
  /** Every address on a free port, instead of the documented one or the next free. */
  anyPort?: boolean;
  engines?: Pick<EngineOptions, 'testCommands' | 'log' | 'onExit'>;
  /** Services that are left out: a test starts them as processes of their own. */
  without?: readonly Role[];
  /** Called as soon as the first tenant exists: from then on its key can't be made again, whatever fails later. */
  onFirstTenant?: () => void;
}

export interface System {
  /** http://…/graphql */
  gatewayUrl: string;
  /** Scheme, host and port of short URLs. */
  redirectUrl: string;
  /** Prometheus endpoints by service. */
  metrics: Record<string, string>;
  engines: Engines;
  /** The environment that a process of this role reads. */
  envOf(role: Role): Env;
  stop(): Promise<void>;
}

/** The whole product: the real servers and every service, in this process. What fails half-way is stopped again. */
export async function startSystem(options: SystemOptions): Promise<System> {
  checkSettings(options.env);
  const log = createLog('dev', options.env.WAYPOST_LOG_LEVEL || 'info');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startParts(log, (life) => start(options, life));
    } catch (error) {
      if (!options.anyPort || !portTaken(error) || attempt === START_ATTEMPTS) throw error;
    }
  }
}

/** Between the choice of a free port and its use another process may take it. The gRPC server tells in its message alone. */
function portTaken(error: unknown): boolean {
  return error instanceof Error && error.message.includes('EADDRINUSE');
}

/** What is chosen here later, in a form that every service takes. */
const ANY: Env = {
  WAYPOST_MONGODB_URL: 'mongodb://127.0.0.1/',
  WAYPOST_REDIS_URL: 'redis://127.0.0.1/',
  WAYPOST_NATS_URL: 'nats://127.0.0.1/',
  WAYPOST_MASTER_KEYS: 'x'.repeat(32),
};

/** Before anything is started. @throws ConfigError with every bad setting of every service */
function checkSettings(given: Env): void {
  const env = { ...ANY, ...given };
  const readers = [tenantConfig, domainConfig, riskConfig, linkConfig, statsConfig, redirectConfig, gatewayConfig];
  const faults = readers.flatMap((read) => {
    try {
      read(env);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  });
  if (faults.length > 0) throw new ConfigError('Waypost', [...new Set(faults)]);
}

async function start(options: SystemOptions, life: Lifecycle): Promise<Omit<System, 'stop'>> {
  const { dataDir, without = [] } = options;
  // Empty counts as absent: it must not hide what is chosen here.
  const env = Object.fromEntries(Object.entries(options.env).filter(([, value]) => value));
  const credentials = createCredentials();
  const engines = life.add(
    'engines',
    await startEngines({
      ...options.engines,
      dataDir,
      natsConfig: () => credentials.natsConfig,
      redisAcl: credentials.redisAcl,
      external: {
        mongodbUrl: env.WAYPOST_MONGODB_URL,
        redisUrl: env.WAYPOST_REDIS_URL,
        natsUrl: env.WAYPOST_NATS_URL,
      },
    }),
  );
  const addresses = await chooseAddresses(env, options.anyPort ?? false);
  const shared: Env = {
    WAYPOST_MODE: 'development',
    WAYPOST_MONGODB_URL: engines.mongodbUrl,
    WAYPOST_MASTER_KEYS: await masterKey(dataDir),
    WAYPOST_DEFAULT_ORIGIN: originOf(addresses),
    WAYPOST_REDIRECT_DATA_DIR: join(dataDir, 'redirect'),
    // One machine runs all processes and three servers: a start-up can hold a call up for longer than the default.
    WAYPOST_RPC_READ_TIMEOUT_MS: '2000',
    ...addresses,
    ...env,
  };
  const redisPasswords: Record<string, string> = credentials.redis;
  const natsPasswords: Record<string, string> = credentials.nats;
  const envOf = (role: Role): Env => ({
    WAYPOST_REDIS_URL: withPassword(engines.redisUrl, role, redisPasswords),
    WAYPOST_NATS_URL: withPassword(engines.natsUrl, role, natsPasswords),
    ...shared,
  });

  const start = {
    tenant: () => startTenant(tenantConfig(envOf('tenant'))),
    domain: () => startDomain(domainConfig(envOf('domain'))),
    risk: () => startRisk(riskConfig(envOf('risk'))),
    link: () => startLink(linkConfig(envOf('link'))),
    stats: () => startStats(statsConfig(envOf('stats'))),
    redirect: () => startRedirect(redirectConfig(envOf('redirect'))),
    gateway: () => startGateway(gatewayConfig(envOf('gateway'))),
  };
  const metrics: Record<string, string> = {};
  for (const role of ROLES.filter((each) => !without.includes(each))) {
    const running = life.add(role, await start[role]());
    metrics[role] = running.metricsUrl;
    if ('bootstrapped' in running && running.bootstrapped) options.onFirstTenant?.();
  }
  return {
    gatewayUrl: `http://${addresses.WAYPOST_GATEWAY_ADDRESS}/graphql`,
    redirectUrl: shared.WAYPOST_DEFAULT_ORIGIN ?? '',
    metrics,
    engines,
    envOf,
  };
}

/** The embedded host is `localhost`: the registry's first entry. */
function originOf(addresses: Addresses): string {
  const port = addresses.WAYPOST_REDIRECT_ADDRESS?.split(':').at(-1);
  return `http://localhost:${port}`;
}

function withPassword(url: string, role: Role, passwords: Record<string, string>): string {
  const password = passwords[role];
  return password ? withCredentials(url, role, password) : url;
}
