import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClientSession,
  type Db,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  ReadPreference,
} from 'mongodb';
import { type AppError, unavailable } from './app-error.js';
import type { Log } from './log.js';

export interface MongoOptions {
  url: string;
  database: string;
  /** Longest that one operation, a whole transaction included, may take. */
  timeoutMs: number;
  /** Longest wait for the majority to confirm a write; not above timeoutMs (F-8). */
  commitWaitMs: number;
  appName: string;
  /** A redirect pod reads from whatever member answers; the control plane reads the primary. */
  readPreference?: 'primary' | 'primaryPreferred';
  maxPoolSize?: number;
}

const CONNECT_PAUSE_MS = 250;

/** A connection with the settings of security.md 4.2. It is made in the background and comes back by itself. */
export class Mongo {
  readonly db: Db;
  readonly #client: MongoClient;
  readonly #timeoutMs: number;
  #stopped = false;

  constructor(options: MongoOptions) {
    this.#timeoutMs = options.timeoutMs;
    this.#client = new MongoClient(options.url, {
      appName: options.appName,
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: options.commitWaitMs },
      readConcern: { level: 'majority' },
      readPreference: options.readPreference ?? ReadPreference.PRIMARY,
      retryWrites: true,
      socketTimeoutMS: options.timeoutMs,
      serverSelectionTimeoutMS: Math.min(2_000, options.timeoutMs),
      connectTimeoutMS: Math.min(2_000, options.timeoutMs),
      waitQueueTimeoutMS: Math.min(2_000, options.timeoutMs),
      maxPoolSize: options.maxPoolSize ?? 20,
      ignoreUndefined: true,
    });
    this.db = this.#client.db(options.database);
    void this.#connect();
  }

  /** A driver whose first connect fails never tries again by itself. */
  async #connect(): Promise<void> {
    while (!this.#stopped) {
      const connected = await this.#client.connect().catch(() => undefined);
      if (connected) return;
      await delay(CONNECT_PAUSE_MS);
    }
  }

  /**
   * Runs `work` in one transaction, again after a transient conflict, until it commits or the time is up. `work` may
   * run several times: its only effects are those that it makes through the session.
   * @throws what `work` throws, or the driver's error; after an unknown commit only a retry with the same idempotency
   * key tells whether it was made. With `retry: false` a transient conflict is thrown at once.
   */
  async transaction<T>(work: (session: ClientSession) => Promise<T>, { retry = true } = {}): Promise<T> {
    const end = performance.now() + this.#timeoutMs;
    const session = this.#client.startSession({ defaultTransactionOptions: { readConcern: { level: 'snapshot' } } });
    const attempts = this.#attempt(session, work, retry, end).finally(() => session.endSession());
    // The driver has a limit for each round trip and repeats some of them: a stalled commit alone would take it twice as
    // long. Whatever it is still waiting for then ends by itself; nothing new is begun after `end`.
    return within(this.#timeoutMs, attempts);
  }

  async #attempt<T>(
    session: ClientSession,
    work: (session: ClientSession) => Promise<T>,
    retry: boolean,
    end: number,
  ): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      session.startTransaction();
      try {
        const result = await work(session);
        if (performance.now() >= end) throw timedOut();
        await commit(session, end);
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        if (!retry || !hasLabel(error, 'TransientTransactionError') || performance.now() >= end) throw error;
        await delay(Math.min(5 * 2 ** attempt, 200) * (0.5 + Math.random()));
      }
    }
  }

  async ping(): Promise<boolean> {
    return this.db.command({ ping: 1 }).then(
      () => true,
      () => false,
    );
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#client.close();
  }
}

async function commit(session: ClientSession, end: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || performance.now() >= end) throw error;
      await delay(50);
    }
  }
}

async function within<T>(ms: number, running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timedOut()), ms);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(): MongoOperationTimeoutError {
  return new MongoOperationTimeoutError('the transaction did not end in time');
}

function hasLabel(thrown: unknown, label: string): boolean {
  const error = underlying(thrown);
  return error instanceof MongoError && error.hasErrorLabel(label);
}

/** Whether an error of a transaction says that nothing of it was committed: otherwise nobody knows. */
export function wasRolledBack(error: unknown): boolean {
  if (hasLabel(error, 'UnknownTransactionCommitResult')) return false;
  return duplicateKey(error) !== undefined || hasLabel(error, 'TransientTransactionError');
}

/** A bulk write wraps whatever befell it, a lost connection too, and drops its labels. */
function underlying(error: unknown): unknown {
  return error instanceof MongoServerError && error.errorResponse instanceof MongoError ? error.errorResponse : error;
}

/** UNAVAILABLE for a database that did not answer, did not confirm or was busy; undefined for any other error. */
export function mongoFault(thrown: unknown): AppError | undefined {
  const error = underlying(thrown);
  const unreachable =
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError ||
    error instanceof MongoOperationTimeoutError ||
    (error instanceof MongoError &&
      (error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult') ||
        error.hasErrorLabel('RetryableWriteError') ||
        LOST_CONNECTION.has(error.name))) ||
    (error instanceof MongoServerError && RETRYABLE_CODES.has(Number(error.code)));
  return unreachable ? unavailable('The database', error) : undefined;
}

/** The driver's own errors, by the names under which it doesn't export them all. */
const LOST_CONNECTION = new Set([
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
]);

/**
 * A server that is busy or leaves: MaxTimeMSExpired, WriteConcernFailed (wtimeout), NetworkTimeout, ShutdownInProgress,
 * PrimarySteppedDown, ExceededTimeLimit, NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange,
 * NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
 */
const RETRYABLE_CODES = new Set([50, 64, 89, 91, 189, 262, 10107, 11600, 11602, 13435, 13436]);

/** Index and first value of the unique key that a write met ('' when it is no text); undefined for any other error. */
export function duplicateKey(error: unknown): { index: string; value: string } | undefined {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return undefined;
  const [, index = '', field = ''] = /index: (\S+) .*?dup key: \{ ([^:]+):/.exec(error.message) ?? [];
  // The message has the value too, but does not escape it. A bulk write keeps the document instead of the key.
  const key = error instanceof MongoBulkWriteError ? [error.writeErrors].flat()[0]?.getOperation() : error.keyValue;
  const value = key?.[field];
  return { index, value: typeof value === 'string' ? value : '' };
}

/** Runs `prepare` (indexes, seeds) until the database has answered; each failure is logged. */
export async function whenReachable<T>(log: Log, prepare: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await prepare();
    } catch (error) {
      if (!mongoFault(error)) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await delay(500);
    }
  }
}
