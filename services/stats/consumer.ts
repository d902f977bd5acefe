import { Lease, LeaseLost } from '../../runtime/lease.js';
import type { Lifecycle } from '../../runtime/lifecycle.js';
import type { Log } from '../../runtime/log.js';
import type { Mongo } from '../../runtime/mongo.js';
import { mongoFault } from '../../runtime/mongo-fault.js';
import type { Nats } from '../../runtime/nats.js';
import { StreamWorker } from '../../runtime/stream-worker.js';
import { CLICK_PARTITIONS, clickSubject } from '../../runtime/streams.js';
import type { Ingest } from './ingest.js';

/** So long a partition stands still after a crash (its clicks in hand come again when their ack wait is over). */
const LEASE_MS = 3_000;
/** Messages of one transaction: some 4,000 clicks when pods are busy. More of them share a roll-up then. */
const BATCH = 40;

export function durableOf(partition: number): string {
  return `stats-${partition}`;
}

export interface ConsumerOptions {
  partition: number;
  lease: Pick<Lease, 'held' | 'confirm'>;
  nats: Nats;
  ingest: Ingest;
  log: Log;
  ackWaitMs?: number;
}

/** Reads one partition of the click stream into the store. */
export function clickConsumer({ partition, lease, nats, ingest, log, ackWaitMs }: ConsumerOptions): StreamWorker {
  return new StreamWorker({
    nats,
    stream: 'CLICKS',
    subject: clickSubject(partition),
    durable: durableOf(partition),
    deadSubject: `dead.clicks.${partition}`,
    batch: BATCH,
    lease,
    work: (batch) => ingest.store(partition, lease, batch),
    isOutage: (error) => mongoFault(error) !== undefined || error instanceof LeaseLost,
    log: log.child({ partition }),
    ...(ackWaitMs ? { ackWaitMs } : {}),
  });
}

/** One for each partition; those whose lease another process has stand by. */
export async function startConsumers(
  life: Lifecycle,
  parts: { mongo: Mongo; nats: Nats; ingest: Ingest; log: Log },
): Promise<void> {
  const { mongo, log } = parts;
  for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
    const lease = new Lease(mongo.db, { name: `clicks:${partition}`, ttlMs: LEASE_MS, log });
    life.add(`lease ${partition}`, lease);
    const consumer = life.add(`consumer ${partition}`, clickConsumer({ ...parts, partition, lease }));
    await lease.start();
    consumer.start();
  }
}
