import type { TimeSpan } from '../../model/time-span.js';
import type { Redis, RedisCommand } from '../../runtime/redis.js';
import type { Click } from './clicks.js';
import { MAX_AHEAD_MS } from './ingest.js';
import type { VisitorClicks } from './store/visitor-clicks.js';
import { DAY_MS, WHOLE_TENANT } from './store/visitor-days.js';
import type { VisitorEpochs } from './store/visitor-epochs.js';

/** Standard error of the HyperLogLog of Redis. */
export const SKETCH_ERROR = 0.0081;
const EPOCH = 'uv:epoch';
const MEMBER = 'n';
const LIFE_MS = 3 * DAY_MS;
/** No click that was taken before a moment is further ahead of it; a minute for clocks that differ. */
const AHEAD_MS = MAX_AHEAD_MS + 60_000;
const ATTEMPTS = 3;
/** Moves the end of a key's life unless the key has been made anew since its end was read. */
const MOVE_END = `
if redis.call('PEXPIRETIME', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
return redis.call('PEXPIREAT', KEYS[1], ARGV[2])`;

export interface SketchParts {
  redis: Pick<Redis, 'pipeline'>;
  epochs: Pick<VisitorEpochs, 'current' | 'next'>;
  clicks: Pick<VisitorClicks, 'visitorsOf'>;
}

/**
 * Visitors of each link and of each tenant in a HyperLogLog for each day, in a Redis that may lose any key, or all, at any
 * time: `uv:<epoch>:<tenant>:<link or ->:<day>`. None is ever taken for whole without a reason:
 *
 * 1. A key that is made gets three days to live, and never again while it lives: the end of its life tells its birth. What
 *    was taken before its birth, and is lost or was never in it, is not more than an hour ahead of it (`MAX_AHEAD_MS`).
 *    So who asks adds the raw clicks of the day up to an hour after the birth, then moves the end of the life, and with it
 *    the birth, to before the day: nothing is left to add, until the key is lost and has a new birth.
 * 2. After the birth nothing may pass it by. A batch is acknowledged when it has been added under the epoch that Redis names
 *    in the same answer; else a new epoch is begun in MongoDB first, and keys of a new one are born later than that. Who
 *    asks uses the epoch only that both MongoDB and Redis name. A number is written to Redis once, by the one who got it
 *    from MongoDB, and never over a greater one: so Redis names it only as long as it has lost nothing since then, and who
 *    adds to an older one has found Redis to name that before any key of the newer was born.
 *
 * What is committed and not acknowledged can be missing for a moment: an answer holds as of the acknowledged clicks. A Redis
 * that fails over to a replica can lose its last second unseen.
 */
export class VisitorSketches {
  readonly #parts: SketchParts;
  /** Undefined when it is not known that Redis names it. */
  #epoch: number | undefined;
  #agreeing: Promise<number | undefined> | undefined;
  readonly #filling = new Map<string, Promise<void>>();

  constructor(parts: SketchParts) {
    this.#parts = parts;
  }

  /** After their commit, before they are acknowledged. A Redis that fails is no failure. @throws when MongoDB fails as well */
  async add(clicks: readonly Click[]): Promise<void> {
    const visitors = byScope(clicks);
    if (visitors.size === 0) return;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const epoch = this.#epoch ?? (await this.#agree());
      if (epoch === undefined) break;
      this.#epoch = (await this.#send(epoch, visitors)) ? epoch : undefined;
      if (this.#epoch !== undefined) return;
    }
    await this.#parts.epochs.next();
  }

  async #send(epoch: number, visitors: ReadonlyMap<string, readonly string[]>): Promise<boolean> {
    const commands: RedisCommand[] = [['zscore', EPOCH, MEMBER]];
    for (const [scope, each] of visitors) commands.push(...addition(`uv:${epoch}:${scope}`, each));
    const [named] = await this.#parts.redis.pipeline(commands).catch(() => []);
    return Number(named) === epoch;
  }

  /** One at a time: each would begin an epoch of its own. */
  #agree(): Promise<number | undefined> {
    this.#agreeing ??= this.#agreed().finally(() => {
      this.#agreeing = undefined;
    });
    return this.#agreeing;
  }

  /** The epoch that MongoDB and Redis name; a new one when they differ. Undefined when Redis doesn't answer. */
  async #agreed(): Promise<number | undefined> {
    const { redis, epochs } = this.#parts;
    const named = await redis.pipeline([['zscore', EPOCH, MEMBER]]).then(
      ([score]) => Number(score ?? Number.NaN),
      () => undefined,
    );
    if (named === undefined || named === (await epochs.current())) return named;
    const epoch = await epochs.next();
    return redis.pipeline([['zadd', EPOCH, 'GT', epoch, MEMBER]]).then(
      () => epoch,
      () => undefined,
    );
  }

  /**
   * Different visitors of a day (its start), of the whole tenant without `linkId`; SKETCH_ERROR either way. Undefined when
   * Redis is away. The day's raw clicks must all be there.
   */
  async estimate(tenantId: string, linkId: string | undefined, day: number): Promise<number | undefined> {
    const scope = `${tenantId}:${linkId ?? WHOLE_TENANT}:${new Date(day).toISOString().slice(0, 10)}`;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Not one that another began to read before: it may be over by now.
      const epoch = await this.#agreed();
      if (epoch === undefined) return undefined;
      const key = `uv:${epoch}:${scope}`;
      for (const _beforeAndAfterFilling of [1, 2]) {
        const held = await this.#read(key);
        if (held?.epoch !== epoch) break;
        const missingUntil = held.end - LIFE_MS + AHEAD_MS;
        if (missingUntil <= day) return held.count;
        const missing = { tenantId, linkIds: linkId === undefined ? undefined : [linkId] };
        await this.#fill(key, held.end, this.#parts.clicks.visitorsOf(missing, spanOf(day, missingUntil)));
      }
    }
    return undefined;
  }

  /** Makes the key when there is none. Undefined as well for one that was lost between two of the commands. */
  async #read(key: string): Promise<{ epoch: number; end: number; count: number } | undefined> {
    const read: RedisCommand[] = [
      ['zscore', EPOCH, MEMBER],
      ['pexpiretime', key],
      ['pfcount', key],
      ['pexpiretime', key],
    ];
    const answers = await this.#parts.redis.pipeline([...addition(key, []), ...read]).catch(() => undefined);
    if (!answers) return undefined;
    const [epoch = 0, end = 0, count = 0, endAfter = 0] = answers.slice(-read.length).map(Number);
    return end > 0 && end === endAfter ? { epoch, end, count } : undefined;
  }

  /** For all who ask at the same time once. */
  #fill(key: string, end: number, visitors: AsyncIterable<readonly bigint[]>): Promise<void> {
    let filling = this.#filling.get(key);
    if (!filling) {
      filling = this.#filled(key, end, visitors).finally(() => this.#filling.delete(key));
      this.#filling.set(key, filling);
    }
    return filling;
  }

  async #filled(key: string, end: number, visitors: AsyncIterable<readonly bigint[]>): Promise<void> {
    const day = Date.parse(key.slice(-'YYYY-MM-DD'.length));
    for await (const piece of visitors) {
      if (!(await this.#did(['pfadd', key, ...piece.map(String)]))) return;
    }
    await this.#did(['eval', MOVE_END, 1, key, end, day - AHEAD_MS + LIFE_MS]);
  }

  #did(command: RedisCommand): Promise<boolean> {
    return this.#parts.redis.pipeline([command]).then(
      () => true,
      () => false,
    );
  }
}

function spanOf(day: number, until: number): TimeSpan {
  return { from: day, to: Math.min(until, day + DAY_MS) };
}

/** Visitors by what follows the epoch in the name of their key. */
function byScope(clicks: readonly Click[]): Map<string, string[]> {
  const scopes = new Map<string, string[]>();
  for (const { trafficClass, visitor, tenantId, linkId, saltId } of clicks) {
    if (trafficClass !== 'HUMAN' || visitor === undefined) continue;
    for (const l of [linkId, WHOLE_TENANT]) {
      const scope = `${tenantId}:${l}:${saltId}`;
      const visitors = scopes.get(scope);
      if (visitors) visitors.push(String(visitor));
      else scopes.set(scope, [String(visitor)]);
    }
  }
  return scopes;
}

/** The second sets no end where there is one already. */
function addition(key: string, visitors: readonly string[]): RedisCommand[] {
  return [
    ['pfadd', key, ...visitors],
    ['expire', key, LIFE_MS / 1_000, 'NX'],
  ];
}
