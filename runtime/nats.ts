import { setTimeout as delay } from 'node:timers/promises';
import { type BulkheadPolicy, bulkhead } from 'cockatiel';
import {
  connect,
  ErrorCode,
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
} from 'nats';
import { unavailable } from './app-error.js';
import type { Log } from './log.js';
import { type NatsAddress, parseNatsUrl } from './nats-url.js';
import { inboxPrefix } from './nats-users.js';
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
const RECONNECT_MS = 200;
/** Streams that could not be made (a cluster that has no leader yet, a name that is taken) are tried again. */
const MAKE_AGAIN_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;

/** A connection that is made in the background and comes back by itself; what needs it fails at once while it is away. */
export class Nats {
  readonly #options: NatsOptions;
  readonly #address: NatsAddress;
  readonly #listeners: ((connection: NatsConnection) => void)[] = [];
  readonly #halt = new AbortController();
  #connection: NatsConnection | undefined;
  #jetstream: JetStreamClient | undefined;
  #up = false;
  #making = false;
  readonly #gate: BulkheadPolicy = bulkhead(MAX_IN_FLIGHT, MAX_WAITING);

  constructor(options: NatsOptions) {
    const address = parseNatsUrl(options.url);
    if (!address) throw new Error('not a nats:// URL');
    this.#address = address;
    this.#options = options;
    void this.#connect();
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
   * Publishes to a stream, with `extra` headers, and waits for its acknowledgement.
   * @throws AppError UNAVAILABLE when NATS is away, slow, has no such stream or too much is under way
   */
  async publish(subject: string, data: Uint8Array, id: string, extra: Record<string, string> = {}): Promise<void> {
    // Before the gate too: what waits there for a server that died waits as long as what it left unanswered.
    if (!this.#up) throw unavailable('The message stream');
    try {
      await this.#gate.execute(async () => {
        if (!this.#up || !this.#jetstream) throw new Error('not connected');
        const options = { msgID: id, timeout: PUBLISH_TIMEOUT_MS };
        const sent = Object.entries(extra);
        if (sent.length === 0) await this.#jetstream.publish(subject, data, options);
        else {
          const fields = headers();
          for (const [name, value] of sent) fields.set(name, value);
          await this.#jetstream.publish(subject, data, { ...options, headers: fields });
        }
      });
    } catch (error) {
      // Somebody removed the stream while we were connected.
      if (error instanceof NatsError && error.code === ErrorCode.NoResponders) void this.#makeStreams();
      throw unavailable('The message stream', error);
    }
  }

  /** For looks at streams and consumers. @throws AppError UNAVAILABLE while NATS is away */
  async manager(): Promise<JetStreamManager> {
    if (!this.#up || !this.#connection) throw unavailable('The message stream');
    return this.#connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
  }

  /** The first connect; the client comes back by itself from then on. A refusal (a password that is being changed) counts as away. */
  async #connect(): Promise<void> {
    const { log, name } = this.#options;
    for (let failures = 0; !this.#halt.signal.aborted; failures++) {
      try {
        const connection = await connect({
          ...this.#address,
          ...(this.#address.user ? { inboxPrefix: inboxPrefix(this.#address.user) } : {}),
          name,
          maxReconnectAttempts: -1,
          reconnectTimeWait: RECONNECT_MS,
          ignoreAuthErrorAbort: true,
          pingInterval: 2_000,
          maxPingOut: 2,
          timeout: REQUEST_TIMEOUT_MS,
        });
        if (this.#halt.signal.aborted) return await connection.close();
        this.#connection = connection;
        this.#jetstream = connection.jetstream();
        void this.#watch(connection);
        this.#connected(connection);
        return;
      } catch (error) {
        log[failures === 0 ? 'warn' : 'debug']({ err: error }, 'NATS is away');
        await this.#pause(RECONNECT_MS);
      }
    }
  }

  #connected(connection: NatsConnection): void {
    this.#up = true;
    void this.#makeStreams();
    for (const listener of this.#listeners) listener(connection);
  }

  async #watch(connection: NatsConnection): Promise<void> {
    let refused = '';
    for await (const { type, data } of connection.status()) {
      if (type === 'disconnect') this.#up = false;
      if (type === 'reconnect') this.#connected(connection);
      // Said once in a row: a changed password is refused five times a second.
      if (type === 'error' && refused !== data) this.#options.log.warn({ code: data }, 'NATS refuses');
      if (type === 'error') refused = String(data);
      if (type === 'reconnect') refused = '';
    }
    this.#up = false;
  }

  /** Makes the streams that this process owns, or brings them up to date; until it has been done or the connection is lost. */
  async #makeStreams(): Promise<void> {
    const { owns = [], log } = this.#options;
    if (owns.length === 0 || this.#making || !this.#connection) return;
    this.#making = true;
    for (let failures = 0; this.#up; failures++) {
      try {
        await this.#makeOwned(this.#connection, owns);
        break;
      } catch (error) {
        if (this.#up) log[failures === 0 ? 'error' : 'debug']({ err: error }, 'streams could not be made');
        await this.#pause(MAKE_AGAIN_MS);
      }
    }
    this.#making = false;
  }

  async #makeOwned(connection: NatsConnection, owns: readonly StreamName[]): Promise<void> {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
    for (const name of owns) {
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

  /** Ends early when this is stopped. */
  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#halt.signal }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#halt.abort();
    this.#up = false;
    await this.#connection?.close();
  }
}

const STREAM_NOT_FOUND = 10059;
