import { StatsServiceService } from '../../gen/proto/waypost/stats/v1/stats_service.js';
import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo, whenReachable } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { Redis } from '../../runtime/redis.js';
import { type RunningService, serveRpc } from '../../runtime/rpc-service.js';
import { Analytics } from './analytics/analytics.js';
import type { StatsConfig } from './config.js';
import { startConsumers } from './consumer.js';
import { Freshness } from './freshness.js';
import { Ingest } from './ingest.js';
import { Retention } from './retention.js';
import { statsHandlers } from './server.js';
import { statsMetrics } from './stats-metrics.js';
import { VisitorClicks } from './store/visitor-clicks.js';
import { VisitorDays } from './store/visitor-days.js';
import { VisitorEpochs } from './store/visitor-epochs.js';
import { StatsStore } from './store.js';
import { Totals } from './totals.js';
import { VisitorFold } from './visitor-fold.js';
import { VisitorSketches } from './visitor-sketches.js';

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
  // A batch has some thousand commands. Nothing waits for Redis but clicks that have been counted.
  const redis = life.add('redis', new Redis({ ...config.redis, name: 'stats', log, commandTimeoutMs: 1_000 }));
  const store = new StatsStore(mongo);
  const [clicks, days, epochs] = [new VisitorClicks(mongo.db), new VisitorDays(mongo.db), new VisitorEpochs(mongo.db)];
  const sketches = new VisitorSketches({ redis, epochs, clicks });
  const freshness = new Freshness(nats, store);
  const ingest = new Ingest({ store, sketches, metrics: statsMetrics(metrics, () => freshness.lag()) });

  await whenReachable(log, () => store.prepare());
  const retention = new Retention({ store, log });
  life.add('visitors', new VisitorFold({ days, afterwards: () => retention.sweep(), log })).start();
  await startConsumers(life, { mongo, nats, ingest, log });

  const readiness = async () => ({ mongodb: await mongo.ping(), nats: nats.up });
  const handlers = statsHandlers(new Totals(store, freshness), new Analytics({ store, freshness, sketches }));
  return serveRpc(life, StatsServiceService, handlers, { ...config, log, metrics, readiness });
}
