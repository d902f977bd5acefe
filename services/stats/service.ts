import { StatsServiceService } from '../../gen/proto/waypost/stats/v1/stats_service.js';
import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo, whenReachable } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { type RunningService, serveRpc } from '../../runtime/rpc-service.js';
import { Analytics } from './analytics/analytics.js';
import type { StatsConfig } from './config.js';
import { startConsumers } from './consumer.js';
import { Freshness } from './freshness.js';
import { Ingest } from './ingest.js';
import { Retention } from './retention.js';
import { statsHandlers } from './server.js';
import { statsMetrics } from './stats-metrics.js';
import { StatsStore } from './store.js';
import { Totals } from './totals.js';

/**
 * Clicks: each counted once. They come through the stream CLICKS; one transaction holds a batch's clicks and the numbers
 * that they change, so a batch that comes again, from wherever, changes nothing.
 */
export function startStats(config: StatsConfig): Promise<RunningService> {
  const log = createLog('stats', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: StatsConfig, life: Lifecycle, log: Log) {
  const metrics = createMetrics('stats');
  const mongo = life.add('mongodb', new Mongo({ ...config.mongo, appName: 'waypost-stats' }));
  const nats = life.add('nats', new Nats({ ...config.nats, name: 'stats', owns: ['CLICKS', 'DEAD'], log }));
  const store = new StatsStore(mongo);
  const freshness = new Freshness(nats, store);
  const ingest = new Ingest({ store, metrics: statsMetrics(metrics, () => freshness.lag()) });

  await whenReachable(log, () => store.prepare());
  life.add('retention', new Retention({ store, log })).start();
  await startConsumers(life, { mongo, nats, ingest, log });

  const readiness = async () => ({ mongodb: await mongo.ping(), nats: nats.up });
  const handlers = statsHandlers(new Totals(store, freshness), new Analytics({ store, freshness }));
  return serveRpc(life, StatsServiceService, handlers, { ...config, log, metrics, readiness });
}
