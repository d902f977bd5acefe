import { LRUCache } from 'lru-cache';
import type { Held } from './decision.js';

export interface LinkCacheOptions {
  /** Most links that are kept; codes without a link have a fifth of it to themselves. */
  entries: number;
  ttlMs: number;
  staleMaxMs: number;
}

/** When a read began: what it brings is no newer than this. */
export interface ReadMoment {
  readonly at: number;
  readonly trust: number;
}

interface Entry extends ReadMoment {
  readonly held: Held;
  readonly freshUntil: number;
}

/** K-1: bounded by bytes as well, since a target may have 8,000. */
const MAX_BYTES = 128 * 1024 * 1024;
const ENTRY_BYTES = 600;
/** Shorter than a link's: a code that is taken now must work soon, also where its invalidation was lost. */
const NO_LINK_MS = 10_000;
/** Far longer than any read takes, and long enough for L2 to have been put right by whoever reads next. */
const FLOOR_LIFE_MS = 120_000;

/**
 * L1: what this process holds of links, and the least revision that it may still accept of each. Times are monotonic
 * milliseconds (`performance.now()`): a clock that is set must not lengthen a life.
 */
export class LinkCache {
  readonly #links: LRUCache<string, Entry>;
  /** Apart, so that a scan of random codes pushes out no link. */
  readonly #missing: LRUCache<string, Entry>;
  readonly #floors: LRUCache<string, number>;
  readonly #options: LinkCacheOptions;
  #trust = 0;
  #blindFrom: number;

  constructor(options: LinkCacheOptions) {
    const { entries, staleMaxMs } = options;
    this.#options = options;
    this.#links = new LRUCache({
      max: entries,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ held }) => ENTRY_BYTES + (held.snapshot?.targetUrl.length ?? 0),
    });
    this.#missing = new LRUCache({ max: Math.ceil(entries / 5) });
    this.#floors = new LRUCache({ max: entries, ttl: FLOOR_LIFE_MS });
    this.#blindFrom = performance.now() + staleMaxMs;
  }

  /** What may be answered at once. A hit never lengthens the life of what it finds: that counts from the read. */
  fresh(key: string, now: number): Held | undefined {
    const entry = this.#find(key);
    return entry && now < entry.freshUntil && entry.trust === this.#trust && !this.blind(now) ? entry.held : undefined;
  }

  /** What may be answered when nothing newer can be read (K-17). */
  stale(key: string, now: number): Held | undefined {
    const entry = this.#find(key);
    return entry && now < entry.at + this.#options.staleMaxMs && !this.blind(now) ? entry.held : undefined;
  }

  #find(key: string): Entry | undefined {
    return this.#links.get(key) ?? this.#missing.get(key);
  }

  /** True when neither a beat was heard nor MongoDB polled for so long that nothing held here may be served (K-17). */
  blind(now: number): boolean {
    return now >= this.#blindFrom;
  }

  /** All changes until `at` are known here. */
  confirm(at: number): void {
    this.#blindFrom = at + this.#options.staleMaxMs;
  }

  /** To be taken before a read and given to `put` with what was read. */
  moment(): ReadMoment {
    return { at: performance.now(), trust: this.#trust };
  }

  /** The revision below which nothing is taken any more; that there is no link counts as revision 0. */
  floor(key: string): number {
    return Math.max(this.#floors.get(key) ?? 0, this.#links.peek(key)?.held.rev ?? 0);
  }

  /**
   * Keeps what was read, unless it is older than what is known (K-4) or was read before trust was lost: then false. So
   * a read that was under way when its invalidation came never fills the cache with what it saw.
   */
  put(key: string, held: Held, { at, trust }: ReadMoment): boolean {
    if (trust !== this.#trust || held.rev < this.floor(key)) return false;
    if (held.snapshot) {
      // A third to each side, so that what was read together does not end together.
      const life = this.#options.ttlMs * (2 / 3 + Math.random() * (2 / 3));
      this.#missing.delete(key);
      this.#links.set(key, { held, at, trust, freshUntil: at + life });
    } else {
      this.#links.delete(key);
      const life = NO_LINK_MS * (0.5 + Math.random() / 2);
      this.#missing.set(key, { held, at, trust, freshUntil: at + life });
    }
    return true;
  }

  /** The code has this revision at least: what is older goes, and is not taken again. True when something went. */
  invalidate(key: string, rev: number): boolean {
    if (rev <= this.floor(key)) return false;
    this.#floors.set(key, rev);
    return this.drop(key);
  }

  /** True when there was something. */
  drop(key: string): boolean {
    return this.#links.delete(key) || this.#missing.delete(key);
  }

  /** Invalidations may have been missed: everything is to be read again, and serves until then only when it can't be. */
  distrust(): void {
    this.#trust++;
  }
}
