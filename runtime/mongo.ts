import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClientSession,
  type Db,
  MongoClient,
  MongoOperationTimeoutError,
  ReadConcern,
  ReadPreference,
} from 'mongodb';
import type { Log } from './log.js';
import { hasLabel, mongoFault } from './mongo-fault.js';

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
const TRANSACTION_LIFETIME_S = 5;

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

  /**
   * Reads that all see the same moment, a majority's: through this `db` and `session`. The first must have been answered
   * before others go side by side, since it decides the moment.
   */
  async snapshot<T>(read: (db: Db, session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.#client.startSession({ snapshot: true });
    try {
      return await read(this.#client.db(this.db.databaseName, { readConcern: new ReadConcern('snapshot') }), session);
    } finally {
      await session.endSession();
    }
  }

  /** A killed process's open transaction, and so a late commit, may last this long (decisions 11): warns of too long. */
  async checkTransactionLifetime(log: Log): Promise<void> {
    const name = 'transactionLifetimeLimitSeconds';
    const admin = this.#client.db('admin');
    const found = await admin.command({ getParameter: 1, [name]: 1 }).catch(() => undefined);
    if (Number(found?.[name]) > TRANSACTION_LIFETIME_S) {
      log.warn({ [name]: found?.[name] }, `set ${name} to ${TRANSACTION_LIFETIME_S}: polls look back twice as long`);
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
