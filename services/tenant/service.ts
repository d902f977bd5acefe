import { TenantServiceService } from '../../gen/proto/waypost/tenant/v1/tenant_service.js';
import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo, whenReachable } from '../../runtime/mongo.js';
import { type RunningService, serveRpc } from '../../runtime/rpc-service.js';
import type { TenantConfig } from './config.js';
import { tenantHandlers } from './server.js';
import { TenantStore } from './store.js';
import { Tenants } from './tenants.js';

/** Tenants and their API keys: who may do what. */
export function startTenant(config: TenantConfig): Promise<RunningService & { bootstrapped: boolean }> {
  const log = createLog('tenant', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: TenantConfig, life: Lifecycle, log: Log) {
  const metrics = createMetrics('tenant');
  const mongo = life.add('mongodb', new Mongo({ ...config.mongo, appName: 'waypost-tenant' }));
  const store = new TenantStore(mongo);
  const tenants = new Tenants(store);

  await whenReachable(log, () => store.ensureIndexes());
  const key = config.bootstrapKey;
  const bootstrapped = key ? await whenReachable(log, () => tenants.bootstrap(key)) : false;

  const readiness = async () => ({ mongodb: await mongo.ping() });
  const running = await serveRpc(life, TenantServiceService, tenantHandlers(tenants), {
    ...config,
    log,
    metrics,
    readiness,
  });
  return { ...running, bootstrapped };
}
