import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '../../runtime/metrics.js';

export type StatsMetrics = ReturnType<typeof statsMetrics>;

/** Names of source 000 §19.1 (AN-28). `lag` is asked for at each scrape; it may throw while NATS is away. */
export function statsMetrics({ registry }: Metrics, lag: () => Promise<ReadonlyMap<number, number>>) {
  const registers = [registry];
  new Gauge({
    name: 'stream_consumer_lag',
    help: 'Messages of the click stream that are not in the numbers yet.',
    labelNames: ['partition'],
    registers,
    async collect() {
      this.reset();
      const lags = await lag().catch(() => new Map<number, number>());
      for (const [partition, messages] of lags) this.set({ partition: String(partition) }, messages);
    },
  });
  return {
    ingestDelay: new Histogram({
      name: 'olap_ingest_delay',
      help: 'Seconds from a click to the commit that counts it.',
      buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600],
      registers,
    }),
    events: new Counter<'class'>({
      name: 'click_events_total',
      help: 'Clicks stored, by traffic class.',
      labelNames: ['class'],
      registers,
    }),
    duplicates: new Counter({
      name: 'click_duplicates_total',
      help: 'Clicks that came again and changed nothing.',
      registers,
    }),
    tooLate: new Counter({
      name: 'clicks_too_late_total',
      help: 'Clicks older than raw clicks are kept: refused, since a duplicate could not be told.',
      registers,
    }),
    fromFuture: new Counter({
      name: 'clicks_from_future_total',
      help: 'Clicks of a clock more than an hour ahead: refused.',
      registers,
    }),
  };
}
