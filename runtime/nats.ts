import { type BulkheadPolicy, bulkhead } from 'cockatiel';
import { connect, type JetStreamClient, type NatsConnection, NatsError } from 'nats';
import { unavailable } from './app-error.js';
import type { Log } from './log.js';
import { STREAMS, type StreamName } from './streams.js';

export interface NatsOptions {
  /** nats://user:password@host:port[,host:port] */
  url: string;
  /** Shown in the server's connection list. */
  name: string;
  replicas: number;
  /** Streams that this process makes when they are missing. */
  owns?: readonly StreamName[];
  log: Log;
}

const PUBLISH_TIMEOUT_MS = 2_000;
/** The client keeps each unanswered publish in memory: a bound, since a dead server answers none (security.md fact 1). */
const MAX_IN_FLIGHT = 256;
const MAX_WAITING = 10_000;

/** A connection that is made in the background and comes back by itself; what needs it fails at once while it is away. */
export class Nats {
  readonly #options: NatsOptions;
  readonly #listeners: ((connection: NatsConnection) => void)[] = [];
  readonly #connecting: Promise<void>;
  #connection: NatsConnection | undefined;
  #jetstream: JetStreamClient | undefined;
  #up = false;
  #stopped = false;
  readonly #gate: BulkheadPolicy = bulkhead(MAX_IN_FLIGHT, MAX_WAITING);

  constructor(options: NatsOptions) {
    this.#options = options;
    this.#connecting = this.#connect();
  }

  get up(): boolean {
    return this.#up;
  }

  /** Calls `listener` now when connected, and after every further connect. */
  onConnect(listener: (connection: NatsConnection) => void): void {
    this.#listeners.push(listener);
    if (this.#up && this.#connection) listener(this.#connection);
  }

  /**
   * Publishes to a stream and waits for its acknowledgement.
   * @throws AppError UNAVAILABLE when NATS is away, slow, has no such stream or too much is under way
   */
  async publish(subject: string, data: Uint8Array, id: string): Promise<void> {
    try {
      await this.#gate.execute(async () => {
        if (!this.#up || !this.#jetstream) throw new Error('not connected');
        await this.#jetstream.publish(subject, data, { msgID: id, timeout: PUBLISH_TIMEOUT_MS });
      });
    } catch (error) {
      throw unavailable('The message stream', error);
    }
  }

  async #connect(): Promise<void> {
    const { servers, user, pass } = parseUrl(this.#options.url);
    const connection = await connect({
      servers,
      ...(user ? { user, pass } : {}),
      name: this.#options.name,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 200,
      pingInterval: 2_000,
      maxPingOut: 2,
      timeout: 2_000,
    });
    if (this.#stopped) return connection.close();
    this.#connection = connection;
    this.#jetstream = connection.jetstream();
    void this.#watch(connection);
    await this.#connected();
  }

  async #connected(): Promise<void> {
    this.#up = true;
    await this.#ensureStreams().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'streams could not be made');
    });
    for (const listener of this.#listeners) if (this.#connection) listener(this.#connection);
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#up = false;
      if (status.type === 'reconnect') await this.#connected();
      // A missing permission shows here alone: the call itself only times out.
      if (status.type === 'error') this.#options.log.error({ status }, 'nats refused');
    }
    this.#up = false;
  }

  async #ensureStreams(): Promise<void> {
    const owned = this.#options.owns ?? [];
    if (owned.length === 0 || !this.#connection) return;
    const manager = await this.#connection.jetstreamManager();
    for (const name of owned) {
      const config = { name, num_replicas: this.#options.replicas, ...STREAMS[name] };
      const exists = await manager.streams.info(name).then(
        () => true,
        (error: unknown) => {
          if (error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND) return false;
          throw error;
        },
      );
      if (exists) await manager.streams.update(name, config);
      else await manager.streams.add(config);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#up = false;
    if (this.#connection) await this.#connection.close();
    else void this.#connecting.catch(() => undefined);
  }
}

const STREAM_NOT_FOUND = 10059;
