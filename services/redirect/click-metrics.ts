import { Counter, Gauge, type Registry } from 'prom-client';
import type { DropClass } from './click-ring.js';

/** The click metrics of source 000 §19.1. */
export class ClickMetrics {
  readonly #published: Counter;
  readonly #dropped: Counter<'class'>;
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#published = new Counter({ name: 'click_event_publish_total', help: 'Clicks that NATS has.', registers });
    this.#dropped = new Counter({
      name: 'click_event_drop_total',
      help: 'Clicks lost because neither NATS nor the spool took them, by class.',
      labelNames: ['class'],
      registers,
    });
    // Shown from the start, so that an alert has something to compare with.
    for (const dropClass of ['bot', 'other'] as const) this.#dropped.inc({ class: dropClass }, 0);
  }

  published(clicks: number): void {
    this.#published.inc(clicks);
  }

  dropped(dropClass: DropClass): void {
    this.#dropped.inc({ class: dropClass });
  }

  watchSpool(bytes: () => number): void {
    new Gauge({
      name: 'click_spool_bytes',
      help: 'Bytes of clicks on the local disk that wait for NATS.',
      registers: [this.#registry],
      collect() {
        this.set(bytes());
      },
    });
  }
}
