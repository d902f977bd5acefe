import { setTimeout as delay } from 'node:timers/promises';
import {
  ConsumerEvents,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type NatsConnection,
  type StreamInfo,
} from 'nats';
import type { Log } from './log.js';
import type { Nats } from './nats.js';
import type { StreamName } from './streams.js';

export interface FollowerOptions {
  nats: Nats;
  stream: StreamName;
  subjects: readonly string[];
  onMessage: (subject: string, data: Uint8Array) => void;
  /** What was missed can't be replayed (the stream is new, or was away too long): trust nothing that was cached. */
  onGap: (reason: string) => void;
  log: Log;
}

/** A stream that beats is checked when it has been silent for so long. */
const SILENCE_MS = 2_000;
const RETRY_MS = 500;
/** Life of one pull. The client also waits about so long before it tries again to make a consumer that it lost. */
const PULL_MS = 3_000;
/** What the client says when its consumer is gone, with the server or with the stream: it would make it again without a look at the stream. */
const LOST: ReadonlySet<string> = new Set([
  ConsumerEvents.ConsumerDeleted,
  ConsumerEvents.ConsumerNotFound,
  ConsumerEvents.StreamNotFound,
  ConsumerEvents.NoResponders,
  ConsumerEvents.OrderedConsumerRecreated,
]);
/** A request to a server that hangs is not waited for; closing the connection ends it. */
const STOP_MS = 500;

/**
 * Reads a stream in order from where it stood at the start, through reconnects and restarts of the server. The client
 * library resumes by sequence; what it can't see, a stream that was made anew with lower numbers, is found here.
 */
export class StreamFollower {
  readonly #options: FollowerOptions;
  /** Next sequence to read; undefined until the stream has been seen once. */
  #next: number | undefined;
  #created = '';
  #messages: ConsumerMessages | undefined;
  #lastMessage = 0;
  #checking = false;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Begins in the background: a process whose NATS is away starts all the same. */
  start(): void {
    let following = false;
    this.#options.nats.onConnect((connection) => {
      // One loop for all connects: it survives them.
      if (following || this.#stopped) return;
      following = true;
      this.#running = this.#follow(connection);
    });
  }

  async #follow(connection: NatsConnection): Promise<void> {
    const { log, stream } = this.#options;
    let failures = 0;
    while (!this.#stopped && !connection.isClosed()) {
      const watch = setInterval(() => void this.#checkSilence(connection), SILENCE_MS / 2);
      try {
        await this.#seek(connection);
        failures = 0;
        await this.#read(connection);
      } catch (error) {
        // Said once: a stream that nobody has made yet is asked for twice a second.
        if (!this.#stopped) log[failures++ === 0 ? 'warn' : 'debug']({ err: error, stream }, 'stream not readable');
      } finally {
        clearInterval(watch);
      }
      if (!this.#stopped) await delay(RETRY_MS);
    }
  }

  /** Finds the place to go on from, and whether what lies between can still be read. */
  async #seek(connection: NatsConnection): Promise<void> {
    const info = await this.#info(connection);
    const { first_seq: first, last_seq: last } = info.state;
    if (this.#next === undefined) {
      this.#next = last + 1;
      // Whatever was cached before now was cached without invalidations.
      this.#options.onGap('first connect');
    } else if (info.created !== this.#created || last < this.#next - 1) {
      this.#next = first;
      this.#options.onGap('stream made anew');
    } else if (first > this.#next) {
      // Limits remove the lowest numbers first, so a loss always shows here. (So may a quiet stream that keeps only the
      // newest of each subject: an unneeded flush of a cache that is small then.)
      this.#next = first;
      this.#options.onGap('older than the stream keeps');
    }
    this.#created = info.created;
  }

  /** @throws when NATS does not answer, or has no such stream */
  async #info(connection: NatsConnection): Promise<StreamInfo> {
    const manager = await connection.jetstreamManager({ checkAPI: false });
    return manager.streams.info(this.#options.stream);
  }

  async #read(connection: NatsConnection): Promise<void> {
    const consumer = await connection.jetstream().consumers.get(this.#options.stream, {
      filterSubjects: [...this.#options.subjects],
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#next ?? 1,
    });
    const messages = await consumer.consume({ idle_heartbeat: 1_000, expires: PULL_MS, max_messages: 1_000 });
    this.#messages = messages;
    this.#lastMessage = performance.now();
    if (this.#stopped) messages.stop();
    void this.#stopWhenLost(messages);
    for await (const message of messages) this.#take(message);
  }

  async #stopWhenLost(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of await messages.status()) if (LOST.has(type)) messages.stop();
  }

  #take(message: JsMsg): void {
    this.#next = message.seq + 1;
    this.#lastMessage = performance.now();
    this.#options.onMessage(message.subject, message.data);
  }

  /** A live stream that stays silent may have been made anew: its numbers are then below ours, and nothing arrives. */
  async #checkSilence(connection: NatsConnection): Promise<void> {
    if (!this.#messages || !this.#options.nats.up || performance.now() - this.#lastMessage < SILENCE_MS) return;
    if (this.#checking) return;
    this.#checking = true;
    const info = await this.#info(connection).catch(() => undefined);
    this.#checking = false;
    const replaced = info && (info.created !== this.#created || info.state.last_seq < (this.#next ?? 1) - 1);
    const behind = info && info.state.last_seq >= (this.#next ?? 1);
    if (!info || replaced || behind) this.#messages?.stop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#messages?.stop();
    await Promise.race([this.#running, delay(STOP_MS)]);
  }
}
