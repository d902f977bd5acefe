import { setTimeout as delay } from 'node:timers/promises';
import type { IPolicy } from 'cockatiel';
import { decodeSnapshot, encodeSnapshot, NO_LINK_BODY, snapshotLifeMs } from '../../model/snapshot.js';
import type { Redis } from '../../runtime/redis.js';
import { type Held, hold, NO_LINK } from './decision.js';
import type { LinkCache } from './link-cache.js';
import { LOAD_TIMEOUT_MS } from './load-guard.js';
import type { RedirectMetrics } from './redirect-metrics.js';
import type { RedirectStore } from './store.js';

export interface CodeAddress {
  /** Whose host it is. */
  tenantId: string;
  groupId: string;
  /** As compared (model/code.ts). */
  code: string;
  /** snapshotKey of both. */
  key: string;
}

export interface ResolverOptions {
  cache: LinkCache;
  redis: Redis;
  store: RedirectStore;
  guard: IPolicy;
  metrics: RedirectMetrics;
}

/** A visitor waits so long for a slow backend when an older answer is at hand. */
const STALE_AFTER_MS = 20;
/** The first read of MongoDB takes any member, the next ones the primary, which knows every change that was told. */
const MAX_READS = 3;
const NO_LINK_LIFE_MS = 60_000;

/** From a code to what is known of it: L1, then Redis, then MongoDB; never a call to another service. */
export class Resolver {
  readonly #options: ResolverOptions;
  /** One load for each key at a time (K-2). */
  readonly #flights = new Map<string, Promise<Held>>();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  /** The hot path: no promise is made when L1 knows. */
  cached(key: string, now: number): Held | undefined {
    const held = this.#options.cache.fresh(key, now);
    this.#options.metrics.l1Looked(held);
    return held;
  }

  /** What L1 did not know. Undefined when nothing is known of the code and nothing can be read. Never rejects. */
  async load(address: CodeAddress): Promise<Held | undefined> {
    const stale = this.#options.cache.stale(address.key, performance.now());
    const flight = this.#flight(address).catch(() => stale);
    return stale ? Promise.race([flight, delay(STALE_AFTER_MS, stale)]) : flight;
  }

  #flight(address: CodeAddress): Promise<Held> {
    const under = this.#flights.get(address.key);
    if (under) return under;
    const flight = this.#read(address).finally(() => this.#flights.delete(address.key));
    this.#flights.set(address.key, flight);
    return flight;
  }

  async #read(address: CodeAddress): Promise<Held> {
    return (await this.#fromRedis(address)) ?? this.#fromMongo(address);
  }

  /** Redis that is away, slow, empty, unreadable or older than what is known counts as a miss. */
  async #fromRedis({ key, tenantId }: CodeAddress): Promise<Held | undefined> {
    const { cache, redis, metrics } = this.#options;
    const moment = cache.moment();
    // What Redis holds is as old as its last writer; only MongoDB opens the eyes of a blind pod.
    if (cache.blind(moment.at)) return undefined;
    const value = await redis.get(key).catch((error: unknown) => metrics.redisFailed(error));
    const held = value ? heldOf(value, tenantId) : undefined;
    const taken = held && cache.put(key, held, moment) ? held : undefined;
    metrics.redisLooked(taken, performance.now() - moment.at);
    return taken;
  }

  async #fromMongo({ groupId, code, key }: CodeAddress): Promise<Held> {
    const { cache, store, guard, metrics } = this.#options;
    for (let reads = 1; ; reads++) {
      const moment = cache.moment();
      const readPreference = reads === 1 ? 'primaryPreferred' : 'primary';
      const snapshot = await guard.execute(({ signal }) =>
        store.link(groupId, code, { maxTimeMS: LOAD_TIMEOUT_MS, signal, readPreference }),
      );
      metrics.mongoLoaded(performance.now() - moment.at);
      const held = snapshot ? hold(snapshot) : NO_LINK;
      if (cache.put(key, held, moment)) {
        this.#fillRedis(key, held);
        return held;
      }
      if (reads === MAX_READS) {
        // The primary is the truth even if it went back (a restored backup); what may be wrong is only not kept.
        cache.drop(key);
        return held;
      }
    }
  }

  /** Conditional on the revision (K-4), and nobody waits for it: a fill that is lost costs one more read. */
  #fillRedis(key: string, { rev, snapshot }: Held): void {
    const body = snapshot ? encodeSnapshot(snapshot) : NO_LINK_BODY;
    const life = snapshot ? snapshotLifeMs(snapshot, Date.now()) : NO_LINK_LIFE_MS * (0.5 + Math.random());
    this.#options.redis.setIfNotOlder(key, rev, body, Math.round(life)).catch(() => undefined);
  }
}

/**
 * What a value of Redis, `<rev> <body>`, says; undefined for what this build can't read or must not serve, and for a link
 * of another tenant than the host's (security.md RD-3).
 */
function heldOf(value: string, tenantId: string): Held | undefined {
  const space = value.indexOf(' ');
  const body = value.slice(space + 1);
  if (body === NO_LINK_BODY) return NO_LINK;
  const snapshot = decodeSnapshot(Number(value.slice(0, space)), body);
  const held = snapshot?.tenantId === tenantId && Number.isSafeInteger(snapshot.rev) ? hold(snapshot) : undefined;
  return held?.whenActive.kind === 'blocked' ? undefined : held;
}
