import { DomainServiceService } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import { FIRST_TENANT_ID } from '../../model/first-tenant.js';
import { Lease } from '../../runtime/lease.js';
import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo, whenReachable } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { Outbox, publishing } from '../../runtime/outbox.js';
import { RELAY_LEASE_MS, Relay } from '../../runtime/relay.js';
import { type RunningService, serveRpc } from '../../runtime/rpc-service.js';
import type { DomainConfig } from './config.js';
import { Domains } from './domains.js';
import { domainHandlers } from './server.js';
import { DomainStore } from './store.js';

/** Domain groups, domains, and the registry of hosts that the redirect serves. */
export function startDomain(config: DomainConfig): Promise<RunningService> {
  const log = createLog('domain', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: DomainConfig, life: Lifecycle, log: Log) {
  const metrics = createMetrics('domain');
  const mongo = life.add('mongodb', new Mongo({ ...config.mongo, appName: 'waypost-domain' }));
  const nats = life.add('nats', new Nats({ ...config.nats, name: 'domain', owns: ['INVALIDATIONS', 'EVENTS'], log }));
  const effects = [publishing('invalidate', 'inv.', nats), publishing('event', 'evt.', nats)];
  const outbox = life.add('outbox', new Outbox(mongo, { collection: 'outbox_domain', effects, log }));
  const lease = life.add('lease', new Lease(mongo.db, { name: 'relay:domain', ttlMs: RELAY_LEASE_MS, log }));
  const relay = life.add('relay', new Relay({ source: 'domain', beatEffect: 'invalidate', outbox, lease, nats, log }));
  const store = new DomainStore(mongo, outbox);
  const domains = new Domains(store);

  await whenReachable(log, async () => {
    await store.ensureIndexes();
    await domains.ensureDefault(FIRST_TENANT_ID, config.defaultOrigin);
  });
  await lease.start();
  relay.start();

  const readiness = async () => ({ mongodb: await mongo.ping() });
  return serveRpc(life, DomainServiceService, domainHandlers(domains), { ...config, log, metrics, readiness });
}
