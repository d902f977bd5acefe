import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics, startMetricsServer } from '../../runtime/metrics.js';
import { Mongo } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { Redis } from '../../runtime/redis.js';
import type { RedirectConfig } from './config.js';
import { HostRegistry } from './hosts.js';
import { HostsFile } from './hosts-file.js';
import { Invalidation } from './invalidation.js';
import { LinkCache } from './link-cache.js';
import { createLoadGuard, MAX_LOADS } from './load-guard.js';
import { RedirectMetrics } from './redirect-metrics.js';
import { Resolver } from './resolve.js';
import { startRedirectServer } from './server.js';
import { startClicks } from './start-clicks.js';
import { RedirectStore } from './store.js';

export interface RunningRedirect {
  /** host:port as bound */
  address: string;
  metricsUrl: string;
  stop(): Promise<void>;
}

/** Polls have connections of their own beside the loads. */
const POLL_CONNECTIONS = 8;

/**
 * The data plane. It never calls a service, and goes on with what it holds while MongoDB, Redis or NATS is away; all
 * three are connected in the background, so it starts without them too.
 */
export function startRedirect(config: RedirectConfig): Promise<RunningRedirect> {
  const log = createLog('redirect', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: RedirectConfig, life: Lifecycle, log: Log) {
  const base = createMetrics('redirect');
  const metrics = new RedirectMetrics(base.registry);
  const mongo = life.add(
    'mongodb',
    new Mongo({
      ...config.mongo,
      appName: 'waypost-redirect',
      readPreference: 'primaryPreferred',
      maxPoolSize: MAX_LOADS + POLL_CONNECTIONS,
    }),
  );
  const redis = life.add('redis', new Redis({ ...config.redis, name: 'redirect', log }));
  const nats = life.add('nats', new Nats({ ...config.nats, name: 'redirect', owns: ['CLICKS'], log }));

  const store = new RedirectStore(mongo);
  const hosts = new HostRegistry();
  const hostsFile = new HostsFile(config.dataDir, log);
  const saved = await hostsFile.load();
  if (saved) hosts.replace(saved);
  const cache = new LinkCache({ ...config.l1, staleMaxMs: config.staleMaxMs });
  const resolver = new Resolver({ cache, redis, store, guard: createLoadGuard(log), metrics });
  const invalidation = new Invalidation({ cache, hosts, hostsFile, store, nats, metrics, log });
  await life.add('invalidation', invalidation).start();

  metrics.watchDependencies({
    mongodb: () => mongo.ping(),
    redis: () => redis.up,
    nats: () => nats.up,
    beat: () => invalidation.following,
  });
  const clicks = await startClicks(config, life, { store, nats, registry: base.registry, log });
  const readiness = () => ({ hosts: hosts.size > 0 });
  const monitor = life.add('metrics', await startMetricsServer(config.metricsAddress, base, readiness));
  const server = life.add('http', await startRedirectServer(config.address, { hosts, resolver, metrics, clicks, log }));
  log.info({ address: server.address, metrics: monitor.url }, 'ready');
  return { address: server.address, metricsUrl: monitor.url };
}
