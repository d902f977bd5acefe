import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, ConsumerEvents, type ConsumerMessages, type JsMsg, type NatsConnection, nanos } from 'nats';
import type { Log } from './log.js';
import type { Nats } from './nats.js';
import type { StreamName } from './streams.js';

/** One message of a work queue. */
export interface Work {
  readonly data: Uint8Array;
  /** When the stream took it, milliseconds since 1970. */
  readonly publishedAt: number;
}

export interface WorkerOptions {
  nats: Nats;
  stream: StreamName;
  subject: string;
  /** Name of the consumer: all processes that share it share its messages. */
  durable: string;
  /** Where messages go that can't be processed. */
  deadSubject: string;
  /** Messages that are worked on together. */
  batch: number;
  /** Works only while this is held; others then stand by. */
  lease: { readonly held: boolean };
  /** Resolves when all is stored but what can never be, with the reason. May see a message again, at any time. */
  work: (batch: readonly Work[]) => Promise<ReadonlyMap<Work, string>>;
  /** True for a failure that says nothing of the messages: they are kept and tried again. */
  isOutage: (error: unknown) => boolean;
  log: Log;
  ackWaitMs?: number;
}

const ACK_WAIT_MS = 30_000;
/**
 * A message that fails so often by itself is dead. Counted here and not by the server: it would stop to deliver one that
 * only met ten crashes, without a word, and it would be lost.
 */
const MAX_DELIVERIES = 10;
/** Life of one pull. */
const PULL_MS = 3_000;
const RETRY_MS = 500;
const LEASE_POLL_MS = 50;
const OUTAGE_PAUSE_MS = 500;
const STOP_MS = 8_000;
/** What the client says when its consumer is gone, with the server or with the stream. */
const LOST: ReadonlySet<string> = new Set([
  ConsumerEvents.ConsumerDeleted,
  ConsumerEvents.ConsumerNotFound,
  ConsumerEvents.StreamNotFound,
  ConsumerEvents.NoResponders,
]);

/**
 * Takes messages of one subject from a work queue, in batches, one batch at a time, and acknowledges each after its work
 * is done. While the store is away messages stay where they are: those in hand are kept, and no more are asked for than
 * three batches.
 */
export class StreamWorker {
  readonly #options: WorkerOptions;
  readonly #halt = new AbortController();
  /** In hand, not begun. */
  #queue: JsMsg[] = [];
  #current: readonly JsMsg[] = [];
  #wake: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Begins in the background: a process whose NATS is away starts all the same. */
  start(): void {
    let running = false;
    this.#options.nats.onConnect((connection) => {
      // One loop for all connects: it survives them.
      if (running || this.#stopped) return;
      running = true;
      this.#running = this.#run(connection);
    });
  }

  get #stopped(): boolean {
    return this.#halt.signal.aborted;
  }

  /** May go on with what it has in hand. */
  get #active(): boolean {
    return !this.#stopped && this.#options.lease.held;
  }

  async #run(connection: NatsConnection): Promise<void> {
    let failures = 0;
    while (!this.#stopped && !connection.isClosed()) {
      if (!this.#options.lease.held) {
        await this.#pause(LEASE_POLL_MS);
        continue;
      }
      try {
        await this.#ensureConsumer(connection);
        failures = 0;
        await this.#read(connection);
      } catch (error) {
        const { log, stream } = this.#options;
        // Said once: a stream that nobody has made yet is asked for twice a second.
        if (!this.#stopped) log[failures++ === 0 ? 'warn' : 'debug']({ err: error, stream }, 'stream not readable');
        await this.#pause(RETRY_MS);
      }
    }
  }

  async #ensureConsumer(connection: NatsConnection): Promise<void> {
    const { stream, subject, durable, batch } = this.#options;
    const manager = await connection.jetstreamManager({ checkAPI: false });
    await manager.consumers.add(stream, {
      durable_name: durable,
      filter_subject: subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(this.#ackWaitMs),
      max_ack_pending: 3 * batch,
    });
  }

  get #ackWaitMs(): number {
    return this.#options.ackWaitMs ?? ACK_WAIT_MS;
  }

  async #read(connection: NatsConnection): Promise<void> {
    const { stream, durable, batch } = this.#options;
    const consumer = await connection.jetstream().consumers.get(stream, durable);
    const messages = await consumer.consume({
      max_messages: 2 * batch,
      expires: PULL_MS,
      idle_heartbeat: 1_000,
      callback: (message) => {
        this.#queue.push(message);
        this.#wake();
      },
    });
    const state = { lost: false };
    void this.#watch(messages, state);
    // Work that takes long, or waits for the store, must not come back meanwhile: that would spend a delivery.
    const keep = setInterval(() => {
      for (const message of [...this.#current, ...this.#queue]) message.working();
    }, this.#ackWaitMs / 3);
    try {
      while (this.#active && !state.lost) {
        const taken = this.#queue.splice(0, batch);
        if (taken.length > 0) await this.#process(taken);
        else await this.#arrival();
      }
    } finally {
      clearInterval(keep);
      // Before anything is given back, or it would come to us again.
      messages.stop();
      for (const message of this.#queue.splice(0)) message.nak();
    }
  }

  async #watch(messages: ConsumerMessages, state: { lost: boolean }): Promise<void> {
    for await (const { type } of await messages.status()) {
      if (!LOST.has(type)) continue;
      state.lost = true;
      this.#wake();
    }
  }

  /** The next message, or the time to look at the lease. */
  async #arrival(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, LEASE_POLL_MS);
    });
    clearTimeout(timer);
  }

  async #process(messages: readonly JsMsg[]): Promise<void> {
    this.#current = messages;
    const works = new Map(messages.map((message) => [workOf(message), message]));
    for (let failures = 0; ; failures++) {
      try {
        const dead = await this.#options.work([...works.keys()]);
        await this.#settle(works, dead);
        break;
      } catch (error) {
        if (!this.#active) {
          for (const message of messages) message.nak();
          break;
        }
        if (!this.#options.isOutage(error)) {
          await this.#isolate(messages, error);
          break;
        }
        this.#options.log[failures === 0 ? 'warn' : 'debug']({ err: error }, 'work waits for the store');
        await this.#pause(OUTAGE_PAUSE_MS);
      }
    }
    this.#current = [];
  }

  async #settle(works: ReadonlyMap<Work, JsMsg>, dead: ReadonlyMap<Work, string>): Promise<void> {
    for (const [work, reason] of dead) {
      const message = works.get(work);
      if (message) await this.#bury(message, reason);
    }
    const done = [...works].filter(([work]) => !dead.has(work)).map(([, message]) => message);
    const last = done.pop();
    for (const message of done) message.ack();
    // One answer for all: they go in order. Without it they come again, and are known.
    await last?.ackAck().catch(() => undefined);
  }

  /** One message's fault must not hold up the others. */
  async #isolate(messages: readonly JsMsg[], error: unknown): Promise<void> {
    const [only, ...others] = messages;
    if (others.length > 0) {
      for (const message of messages) await this.#process([message]);
      return;
    }
    if (!only) return;
    const deliveries = only.info.deliveryCount;
    this.#options.log.error({ err: error, seq: only.seq, deliveries }, 'a message could not be processed');
    if (deliveries >= MAX_DELIVERIES) await this.#bury(only, error instanceof Error ? error.message : 'failed');
    else only.nak(RETRY_MS * deliveries);
  }

  /** It leaves the queue only when its copy is safe. */
  async #bury(message: JsMsg, reason: string): Promise<void> {
    const { nats, stream, deadSubject, log } = this.#options;
    const id = `${stream}:${message.seq}`;
    try {
      const text = reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
      await nats.publish(deadSubject, message.data, id, {
        'Waypost-Reason': text,
        'Waypost-Subject': message.subject,
        'Waypost-Sequence': String(message.seq),
      });
      message.term(text);
      log.error({ message: id, reason: text }, 'a message is dead');
    } catch (error) {
      log.warn({ err: error, message: id }, 'a dead message could not be moved');
      message.nak(RETRY_MS);
    }
  }

  /** Ends early when this is stopped. */
  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#halt.signal }).catch(() => undefined);
  }

  /** Finishes the batch that it works on. */
  async stop(): Promise<void> {
    this.#halt.abort();
    this.#wake();
    await Promise.race([this.#running, delay(STOP_MS, undefined, { ref: false })]);
  }
}

function workOf(message: JsMsg): Work {
  return { data: message.data, publishedAt: Math.floor(message.info.timestampNanos / 1e6) };
}
