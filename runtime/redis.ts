import { type CircuitBreakerPolicy, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { Redis as Client } from 'ioredis';
import type { Log } from './log.js';

export interface RedisOptions {
  url: string;
  name: string;
  log: Log;
  /** Longest that a command may take; not above a second, after which the connection is given up. 50 by default. */
  commandTimeoutMs?: number;
}

export type RedisCommand = readonly [name: string, ...args: (string | number)[]];

/**
 * Sets KEYS[1] to ARGV[2] unless it holds a newer version. A value begins with its version and a space; ARGV[1] is
 * the version, ARGV[3] the life in milliseconds. One round trip, and an older writer never wins (K-4).
 */
const SET_IF_NOT_OLDER = `
local held = redis.call('GET', KEYS[1])
if held then
  local version = tonumber(string.match(held, '^(%d+) '))
  if version and version > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

interface WithScripts extends Client {
  setIfNotOlder(key: string, version: number, value: string, lifeMs: number): Promise<number>;
}

/**
 * A cache that may vanish: commands fail at once while it is away (security.md fact 5), and after a few failures are
 * not even tried for a second. Callers treat every rejection as a miss.
 */
export class Redis {
  readonly #client: WithScripts;
  readonly #breaker: CircuitBreakerPolicy;
  #stopped = false;

  constructor({ url, name, log, commandTimeoutMs = 50 }: RedisOptions) {
    this.#client = new Client(url, {
      connectionName: name,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: commandTimeoutMs,
      connectTimeout: 500,
      // A connection that nothing comes back on (the machine behind it is gone) is given up; the kernel would take minutes.
      socketTimeout: 1_000,
      enableAutoPipelining: true,
      retryStrategy: (times) => Math.min(50 * times, 1_000),
      scripts: { setIfNotOlder: { lua: SET_IF_NOT_OLDER, numberOfKeys: 1 } },
    }) as WithScripts;
    let lastLog = 0;
    this.#client.on('error', (error: Error) => {
      if (Date.now() - lastLog < 10_000) return;
      lastLog = Date.now();
      log.warn({ err: error.message }, 'redis is away');
    });
    this.#breaker = circuitBreaker(handleAll, { halfOpenAfter: 1_000, breaker: new ConsecutiveBreaker(5) });
  }

  get up(): boolean {
    return !this.#stopped && this.#client.status === 'ready';
  }

  /** @throws when Redis is away or slower than its time-out */
  get(key: string): Promise<string | null> {
    return this.#run(() => this.#client.get(key));
  }

  /** True when stored, false when a newer version was there. @throws as get */
  async setIfNotOlder(key: string, version: number, body: string, lifeMs: number): Promise<boolean> {
    const life = Math.max(1, Math.floor(lifeMs));
    const stored = await this.#run(() => this.#client.setIfNotOlder(key, version, `${version} ${body}`, life));
    return stored === 1;
  }

  /** Sends commands in one go; they are made in their order, but not as one. Their answers. @throws as get, or if any failed */
  pipeline(commands: readonly RedisCommand[]): Promise<unknown[]> {
    return this.#run(async () => {
      const answers = (await this.#client.pipeline(commands.map((command) => [...command])).exec()) ?? [];
      return answers.map(([error, answer]) => {
        if (error) throw error;
        return answer;
      });
    });
  }

  #run<T>(command: () => Promise<T>): Promise<T> {
    if (!this.up) return Promise.reject(new Error('redis is away'));
    return this.#breaker.execute(command);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#client.disconnect();
  }
}
