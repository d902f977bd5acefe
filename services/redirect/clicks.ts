import { ClickBatch } from '../../gen/proto/waypost/click/v1/click.js';
import type { Log } from '../../runtime/log.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import { partitionOf, sealBatch } from './click-batch.js';
import { encodeClick } from './click-encoder.js';
import type { ClickMaker } from './click-maker.js';
import type { ClickMetrics } from './click-metrics.js';
import { ClickRing, type DropClass, dropClassOf } from './click-ring.js';
import { type ClickSender, MAX_DIRECT } from './click-sender.js';
import { DropLedger, type DropReport } from './drop-ledger.js';
import type { Visit } from './visit.js';

export interface ClicksOptions {
  maker: Pick<ClickMaker, 'make'>;
  sender: Pick<ClickSender, 'ready' | 'send' | 'settled' | 'drain' | 'stop'>;
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
  readonly #drops = new DropLedger();
  #visits: Visit[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClicksOptions) {
    this.#options = options;
    this.#ring = new ClickRing(CLICK_PARTITIONS, options.limit ?? LIMIT, (click, dropClass) =>
      this.#drop(click.tenantId, click.timeMs, dropClass),
    );
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
        const { tenantId, timeMs, userAgent } = click;
        const encoded = encodeClick(click);
        this.#ring.push(partitionOf(tenantId), { tenantId, timeMs, userAgent, encoded });
      } catch (error) {
        this.#options.log.error({ err: error }, 'no click could be made of a visit');
        // Whatever is wrong with it may be wrong here too.
        this.#drop(visit.visited?.link?.tenantId, visit.timeMs, 'other');
      }
    }
    this.#flush(BATCH_CLICKS);
  }

  /** Sends batches of partitions where at least so many clicks wait; with 1, also those that only tell of drops. */
  #flush(atLeast: number): void {
    for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
      const due = () => this.#ring.waiting(partition) >= atLeast || (atLeast === 1 && this.#drops.waiting(partition));
      while (due() && this.#options.sender.ready) void this.#send(partition);
    }
  }

  async #send(partition: number, report = this.#drops.take(partition)): Promise<void> {
    const clicks = this.#ring.take(partition, BATCH_CLICKS).map(({ encoded }) => encoded);
    this.#drops.settle(report, await this.#options.sender.send(sealBatch(partition, clicks, report)));
  }

  #drop(tenantId: string | undefined, timeMs: number, dropClass: DropClass): void {
    this.#options.metrics.dropped(dropClass);
    if (tenantId && Number.isSafeInteger(timeMs)) this.#drops.count(tenantId, timeMs, dropClass);
  }

  /** After the last answer: every click is in NATS or in the spool when it resolves, or counted as dropped. */
  async stop(): Promise<void> {
    const { sender, log } = this.#options;
    clearInterval(this.#timer);
    this.#read();
    await sender.settled();
    await this.#sendWaiting();
    const lost = (await sender.drain()).flatMap((batch) => ClickBatch.decode(batch.body).clicks);
    for (const click of lost) this.#drop(click.tenantId, click.timeMs, dropClassOf(click));
    // There may be a place for a few numbers where there is none for clicks.
    await this.#sendDrops();
    await sender.stop();
    if (lost.length > 0) log.error({ clicks: lost.length }, 'clicks were lost at the end');
    const { untold } = this.#drops;
    if (untold > 0) log.error({ clicks: untold }, 'nobody could be told of clicks that were lost');
  }

  async #sendWaiting(): Promise<void> {
    for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
      while (this.#ring.waiting(partition) > 0) {
        const sending: Promise<void>[] = [];
        while (this.#ring.waiting(partition) > 0 && sending.length < MAX_DIRECT) sending.push(this.#send(partition));
        await Promise.all(sending);
      }
    }
  }

  /** Once: what finds no place waits again. */
  async #sendDrops(): Promise<void> {
    for (let partition = 0; partition < CLICK_PARTITIONS; partition++) {
      const reports: DropReport[] = [];
      while (this.#drops.waiting(partition)) reports.push(this.#drops.take(partition));
      for (const report of reports) await this.#send(partition, report);
    }
  }
}
