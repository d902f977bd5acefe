import { hostname } from 'node:os';
import { Click, ClickBatch } from '../../gen/proto/waypost/click/v1/click.js';
import type { Log } from '../../runtime/log.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import { type Dropped, partitionOf, sealBatch } from './click-batch.js';
import type { ClickMaker } from './click-maker.js';
import type { ClickMetrics } from './click-metrics.js';
import { ClickRing, type DropClass, dropClassOf } from './click-ring.js';
import { type ClickSender, MAX_DIRECT } from './click-sender.js';
import type { Visit } from './visit.js';

export interface ClicksOptions {
  maker: Pick<ClickMaker, 'make'>;
  sender: Pick<ClickSender, 'ready' | 'send' | 'settled' | 'stop'>;
  metrics: Pick<ClickMetrics, 'dropped'>;
  log: Log;
  limit?: number;
}

/** Some 20 MB, 10 s of a busy pod. */
const LIMIT = 20_000;
const BATCH_CLICKS = 100;
const FLUSH_MS = 200;

/** From visits to batches: captured at the answer, read when the event loop comes to it, sent by 100 or every 200 ms. */
export class Clicks {
  readonly #options: ClicksOptions;
  readonly #ring: ClickRing;
  readonly #pod = `${hostname()}-${process.pid}`;
  #visits: Visit[] = [];
  #dropped: Dropped = { bots: 0, others: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClicksOptions) {
    this.#options = options;
    this.#ring = new ClickRing(CLICK_PARTITIONS, options.limit ?? LIMIT, (dropClass) => this.#drop(dropClass));
  }

  start(): void {
    this.#timer = setInterval(() => this.#flush(1), FLUSH_MS);
  }

  /** The only part on the hot path. */
  take(visit: Visit): void {
    if (this.#visits.push(visit) === 1) setImmediate(() => this.#read());
  }

  #read(): void {
    const visits = this.#visits;
    this.#visits = [];
    for (const visit of visits) {
      try {
        const click = this.#options.maker.make(visit);
        const { tenantId, userAgent } = click;
        this.#ring.push(partitionOf(tenantId), { userAgent, encoded: Click.encode(click).finish() });
      } catch (error) {
        this.#options.log.error({ err: error }, 'no click could be made of a visit');
        this.#drop('other');
      }
    }
    this.#flush(BATCH_CLICKS);
  }

  /** Seals batches of partitions where at least so many clicks wait. */
  #flush(atLeast: number): void {
    for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
      while (this.#ring.waiting(partition) >= atLeast && this.#options.sender.ready) {
        void this.#options.sender.send(this.#seal(partition));
      }
    }
  }

  #seal(partition: number) {
    const dropped = this.#dropped;
    this.#dropped = { bots: 0, others: 0 };
    const clicks = this.#ring.take(partition, BATCH_CLICKS).map(({ encoded }) => encoded);
    return sealBatch(partition, clicks, dropped, this.#pod);
  }

  #drop(dropClass: DropClass): void {
    this.#options.metrics.dropped(dropClass);
    if (dropClass === 'bot') this.#dropped.bots++;
    else this.#dropped.others++;
  }

  /** After the last answer: every click is in NATS or in the spool when it resolves, or counted as dropped. */
  async stop(): Promise<void> {
    const { sender, log } = this.#options;
    clearInterval(this.#timer);
    this.#read();
    await sender.settled();
    for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
      while (this.#ring.waiting(partition) > 0) {
        const sending: Promise<void>[] = [];
        while (this.#ring.waiting(partition) > 0 && sending.length < MAX_DIRECT) {
          sending.push(sender.send(this.#seal(partition)));
        }
        await Promise.all(sending);
      }
    }
    const lost = (await sender.stop()).flatMap((batch) => ClickBatch.decode(batch.body).clicks);
    for (const click of lost) this.#drop(dropClassOf(click));
    if (lost.length > 0) log.error({ clicks: lost.length }, 'clicks were lost at the end');
  }
}
