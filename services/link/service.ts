import { DomainServiceService } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import { LinkServiceService } from '../../gen/proto/waypost/link/v1/link_service.js';
import { RiskServiceService } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { Lease } from '../../runtime/lease.js';
import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo, whenReachable } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { Outbox, publishing } from '../../runtime/outbox.js';
import { Redis } from '../../runtime/redis.js';
import { RELAY_LEASE_MS, Relay } from '../../runtime/relay.js';
import { connectRpc } from '../../runtime/rpc-client.js';
import { type RunningService, serveRpc } from '../../runtime/rpc-service.js';
import type { LinkConfig } from './config.js';
import { Directory } from './directory.js';
import { Finder } from './finder.js';
import { IdIssuer } from './id-issuer.js';
import { Links } from './links.js';
import { Rejudge } from './rejudge.js';
import { linkHandlers } from './server.js';
import { cachingSnapshots } from './snapshot-cache.js';
import { readSnapshots } from './store/snapshot-view.js';
import { WorkerRegistry } from './store/workers.js';
import { LinkStore } from './store.js';
import { Targets } from './targets.js';

/**
 * Links: their codes, targets, versions and state. A change is one transaction; what follows it (Redis, invalidations,
 * events) is written down in it and made right after the commit, or by the relay.
 */
export function startLink(config: LinkConfig): Promise<RunningService> {
  const log = createLog('link', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: LinkConfig, life: Lifecycle, log: Log) {
  const metrics = createMetrics('link');
  const mongo = life.add('mongodb', new Mongo({ ...config.mongo, appName: 'waypost-link' }));
  const redis = life.add('redis', new Redis({ url: config.redisUrl, name: 'link', log }));
  const nats = life.add('nats', new Nats({ ...config.nats, name: 'link', owns: ['INVALIDATIONS', 'EVENTS'], log }));
  const { timeouts, tls, contextKeys } = config.rpc;
  const domain = connectRpc(DomainServiceService, {
    address: config.domainAddress,
    name: 'The domain service',
    idempotent: ['getGroups', 'getDomains'],
    timeouts,
    tls,
  });
  const risk = connectRpc(RiskServiceService, {
    address: config.riskAddress,
    name: 'The risk service',
    idempotent: ['judgeUrl'],
    timeouts,
    tls,
  });
  life.add('domain client', { stop: async () => domain.close() });
  life.add('risk client', { stop: async () => risk.close() });

  const effects = [
    cachingSnapshots((linkIds) => readSnapshots(mongo.db, linkIds), redis),
    publishing('invalidate', 'inv.', nats),
    publishing('event', 'evt.', nats),
  ];
  const outbox = life.add('outbox', new Outbox(mongo, { collection: 'outbox_link', effects, log }));
  const lease = life.add('lease', new Lease(mongo.db, { name: 'relay:link', ttlMs: RELAY_LEASE_MS, log }));
  const relay = life.add('relay', new Relay({ source: 'link', beatEffect: 'invalidate', outbox, lease, nats, log }));
  const ids = life.add('ids', new IdIssuer(new WorkerRegistry(mongo.db), log));
  const store = new LinkStore(mongo, outbox);
  const directory = new Directory(domain);
  const targets = new Targets(risk, log);
  const finder = new Finder(store, directory);
  const links = new Links({ store, finder, ids, directory, targets, effects });
  const rejudge = life.add('rejudge', new Rejudge({ store, targets, effects, contextKeys, lease, log }));

  await whenReachable(log, async () => {
    await store.ensureIndexes();
    await mongo.checkTransactionLifetime(log);
    await ids.start();
  });
  await lease.start();
  relay.start();
  rejudge.start();

  const readiness = async () => ({ mongodb: await mongo.ping() });
  return serveRpc(life, LinkServiceService, linkHandlers(links, finder, directory), {
    ...config,
    log,
    metrics,
    readiness,
  });
}
