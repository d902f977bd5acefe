import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClientSession,
  type Db,
  MongoClient,
  MongoError,
  MongoNetworkError,
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

/** A connection with the settings of security.md 4.2; it connects when first used and again whenever it must. */
export class Mongo {
  readonly db: Db;
  readonly #client: MongoClient;
  readonly #timeoutMs: number;

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
  }

  /**
   * Runs `work` in one transaction, again after a transient conflict, until it commits or the time is up. `work` may
   * run several times: its only effects are those that it makes through the session.
   * @throws what `work` throws, or the driver's error; after an unknown commit only a retry with the same idempotency
   * key tells whether it was made. With `retry: false` a transient conflict is thrown at once.
   */
  async transaction<T>(work: (session: ClientSession) => Promise<T>, { retry = true } = {}): Promise<T> {
    const end = Date.now() + this.#timeoutMs;
    const session = this.#client.startSession({ defaultTransactionOptions: { readConcern: { level: 'snapshot' } } });
    try {
      for (let attempt = 0; ; attempt++) {
        session.startTransaction();
        try {
          const result = await work(session);
          await commit(session, end);
          return result;
        } catch (error) {
          if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
          if (!retry || !hasLabel(error, 'TransientTransactionError') || Date.now() >= end) throw error;
          await delay(Math.min(5 * 2 ** attempt, 200) * (0.5 + Math.random()));
        }
      }
    } finally {
      await session.endSession();
    }
  }

  async ping(): Promise<boolean> {
    return this.db.command({ ping: 1 }).then(
      () => true,
      () => false,
    );
  }

  stop(): Promise<void> {
    return this.#client.close();
  }
}

async function commit(session: ClientSession, end: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || Date.now() >= end) throw error;
      await delay(50);
    }
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}

/** UNAVAILABLE for a database that did not answer, did not confirm or was busy; undefined for any other error. */
export function mongoFault(error: unknown): AppError | undefined {
  const unreachable =
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError ||
    (error instanceof MongoError &&
      (error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult') ||
        error.hasErrorLabel('RetryableWriteError') ||
        error.name === 'MongoWaitQueueTimeoutError' ||
        error.name === 'MongoPoolClearedError')) ||
    (error instanceof MongoServerError && RETRYABLE_CODES.has(Number(error.code)));
  return unreachable ? unavailable('The database', error) : undefined;
}

/** MaxTimeMSExpired, WriteConcernFailed (wtimeout), NotWritablePrimary, PrimarySteppedDown, ShutdownInProgress. */
const RETRYABLE_CODES = new Set([50, 64, 10107, 189, 91]);

/** Index and first value of the unique key that a write met, or undefined for any other error. */
export function duplicateKey(error: unknown): { index: string; value: string } | undefined {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return undefined;
  // A bulk write hides keyValue in driver-dependent places; the message has both, always in this form.
  const match = /index: (\S+) dup key: \{ [^:]+: (?:"((?:[^"\\]|\\.)*)")?/.exec(error.message);
  return { index: match?.[1] ?? '', value: match?.[2] ?? '' };
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
