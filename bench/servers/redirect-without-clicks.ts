/**
 * The redirect process as services/redirect/service.ts composes it, but that nobody takes its clicks: what a click costs is
 * the difference.
 */
import { type Lifecycle, runMain, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics, startMetricsServer } from '../../runtime/metrics.js';
import { Mongo } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { Redis } from '../../runtime/redis.js';
import { type RedirectConfig, readConfig } from '../../services/redirect/config.js';
import { HostRegistry } from '../../services/redirect/hosts.js';
import { HostsFile } from '../../services/redirect/hosts-file.js';
import { Invalidation } from '../../services/redirect/invalidation.js';
import { LinkCache } from '../../services/redirect/link-cache.js';
import { createLoadGuard } from '../../services/redirect/load-guard.js';
import { RedirectMetrics } from '../../services/redirect/redirect-metrics.js';
import { Resolver } from '../../services/redirect/resolve.js';
import { startRedirectServer } from '../../services/redirect/server.js';
import { RedirectStore } from '../../services/redirect/store.js';

await runMain(() => {
  const config = readConfig(process.env);
  const log = createLog('redirect', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
});

async function build(config: RedirectConfig, life: Lifecycle, log: Log) {
  const base = createMetrics('redirect');
  const metrics = new RedirectMetrics(base.registry);
  const mongo = life.add('mongodb', new Mongo({ ...config.mongo, appName: 'waypost-redirect' }));
  const redis = life.add('redis', new Redis({ ...config.redis, name: 'redirect', log }));
  const nats = life.add('nats', new Nats({ ...config.nats, name: 'redirect', log }));
  const store = new RedirectStore(mongo);
  const hosts = new HostRegistry();
  const hostsFile = new HostsFile(config.dataDir, log);
  const cache = new LinkCache({ ...config.l1, staleMaxMs: config.staleMaxMs });
  const resolver = new Resolver({ cache, redis, store, guard: createLoadGuard(log), metrics });
  await life.add('invalidation', new Invalidation({ cache, hosts, hostsFile, store, nats, metrics, log })).start();
  const monitor = life.add('metrics', await startMetricsServer(config.metricsAddress, base, () => ({})));
  const clicks = { take: () => undefined };
  const server = life.add('http', await startRedirectServer(config.address, { hosts, resolver, metrics, clicks, log }));
  log.info({ address: server.address, metrics: monitor.url }, 'ready');
  return {};
}
