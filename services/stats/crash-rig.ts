/**
 * A consumer of one partition that is killed (-9) at a chosen step, as a process of its own; for tests. Its one argument is
 * JSON.
 */
import { Lease } from '../../runtime/lease.js';
import { createLog } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo } from '../../runtime/mongo.js';
import { Nats } from '../../runtime/nats.js';
import { clickConsumer } from './consumer.js';
import { Ingest } from './ingest.js';
import { statsMetrics } from './stats-metrics.js';
import { StatsStore } from './store.js';

export interface CrashOptions {
  mongodbUrl: string;
  database: string;
  natsUrl: string;
  partition: number;
  ackWaitMs: number;
  /** `transaction`: with half of it written; `commit`: after it, before any acknowledgement. */
  killAt: 'transaction' | 'commit';
  /** Batches that pass before. */
  after: number;
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

async function run(options: CrashOptions): Promise<void> {
  const { partition, ackWaitMs, killAt } = options;
  const log = createLog('crash', 'silent');
  const mongo = new Mongo({
    url: options.mongodbUrl,
    database: options.database,
    timeoutMs: 6_000,
    commitWaitMs: 5_000,
    appName: 'crash',
  });
  const nats = new Nats({ url: options.natsUrl, name: 'crash', replicas: 1, log });
  const metrics = statsMetrics(createMetrics('crash'), async () => new Map());
  const lease = new Lease(mongo.db, { name: `clicks:${partition}`, ttlMs: 500, log });
  let left = options.after;
  const store = new StatsStore(mongo);
  const ingest = new Ingest({
    metrics,
    sketches: { add: async () => undefined },
    store: {
      async append(batch) {
        const last = left-- <= 0;
        const confirm: Lease['confirm'] = async (session) => {
          await lease.confirm(session);
          if (last && killAt === 'transaction') await die();
        };
        const appended = await store.append({ ...batch, lease: { confirm } });
        if (last) await die();
        return appended;
      },
    },
  });
  await lease.start();
  clickConsumer({ partition, lease, nats, ingest, log, ackWaitMs }).start();
}

const [, , options = ''] = process.argv;
await run(JSON.parse(options) as CrashOptions);
