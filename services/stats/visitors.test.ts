import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCredentials, withCredentials } from '../../dev/credentials.js';
import { type Engines, startEngines } from '../../dev/engines.js';
import { type FaultProxy, startFaultProxy } from '../../dev/fault-proxy.js';
import { createLog } from '../../runtime/log.js';
import { Mongo } from '../../runtime/mongo.js';
import { Redis, type RedisCommand } from '../../runtime/redis.js';
import type { Click } from './clicks.js';
import { Retention } from './retention.js';
import { sampleClick } from './sample-click.js';
import { VisitorClicks } from './store/visitor-clicks.js';
import { DAY_MS, dayStart, VisitorDays } from './store/visitor-days.js';
import { VisitorEpochs } from './store/visitor-epochs.js';
import { StatsStore } from './store.js';
import { VisitorFold } from './visitor-fold.js';
import { VisitorSketches } from './visitor-sketches.js';
import { VisitorNumbers } from './visitors.js';

const WITHIN = { timeout: 10_000, interval: 20 };
const HOUR_MS = 3_600_000;
/** Four days, over the end of a month. */
const FIRST = Date.UTC(2026, 9, 30);
const DAYS = 4;
const LINKS = ['lnk_1', 'lnk_2', 'lnk_3'];
const FREE = { confirm: async () => undefined };
const ADMIN = 'of this test alone';
const log = createLog('test', 'silent');

let directory: string;
let engines: Engines;
let proxy: FaultProxy;
let observer: MongoClient;
let mongo: Mongo;
let redis: Redis;
let admin: Redis;
let store: StatsStore;
let clicks: VisitorClicks;
let days: VisitorDays;
let epochs: VisitorEpochs;
let sketches: VisitorSketches;
/** The clock of the store. */
let now: number;
let databases = 0;
let made = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-visitors-'));
  const credentials = createCredentials();
  engines = await startEngines({
    dataDir: directory,
    redisAcl: `${credentials.redisAcl}user admin on >${Buffer.from(ADMIN).toString('hex')} ~* +@all\n`,
    external: { natsUrl: 'nats://unused' },
    log: () => undefined,
  });
  observer = await MongoClient.connect(engines.mongodbUrl);
  proxy = await startFaultProxy(engines.redis?.port ?? 0);
  const through = withCredentials(`redis://127.0.0.1:${proxy.port}`, 'stats', credentials.redis.stats);
  redis = new Redis({ url: through, name: 'stats', log, commandTimeoutMs: 500 });
  const direct = withCredentials(engines.redisUrl, 'admin', Buffer.from(ADMIN).toString('hex'));
  admin = new Redis({ url: direct, name: 'admin', log, commandTimeoutMs: 500 });
});

beforeEach(async () => {
  now = Date.now();
  await start(`test${databases++}`);
  await redisIsBack();
  await admin.pipeline([['flushall']]);
});

afterEach(() => mongo.stop());

afterAll(async () => {
  await redis.stop();
  await admin.stop();
  await proxy.stop();
  await observer.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

async function start(database: string): Promise<void> {
  mongo = new Mongo({ url: engines.mongodbUrl, database, timeoutMs: 6_000, commitWaitMs: 5_000, appName: 't' });
  store = new StatsStore(mongo, () => now);
  clicks = new VisitorClicks(mongo.db);
  days = new VisitorDays(mongo.db);
  epochs = new VisitorEpochs(mongo.db);
  sketches = anotherProcess();
  await store.prepare();
  await skipEarlierDays();
}

/** Of the month of FIRST: there is nothing on them to be counted. */
async function skipEarlierDays(): Promise<void> {
  const earlier = Array.from({ length: 29 }, (_, i) => ({ _id: new Date(FIRST - (i + 1) * DAY_MS) }));
  await db().collection<{ _id: Date }>('visitors_folded').insertMany(earlier);
}

function anotherProcess(): VisitorSketches {
  return new VisitorSketches({ redis, epochs, clicks });
}

function db(): Db {
  return observer.db(mongo.db.databaseName);
}

async function answers(of: Redis, command: RedisCommand): Promise<boolean> {
  return of.pipeline([command]).then(
    () => true,
    () => false,
  );
}

async function redisIsBack(): Promise<void> {
  await expect.poll(() => answers(redis, ['zscore', 'uv:epoch', 'n']), WITHIN).toBe(true);
  await expect.poll(() => answers(admin, ['ping']), WITHIN).toBe(true);
}

function click(given: Partial<Click> = {}): Click {
  made++;
  return sampleClick({ timeMs: now, ...given });
}

/** Clicks of visitors that nobody else is. */
function strangers(count: number, given: Partial<Click> = {}): Click[] {
  return Array.from({ length: count }, () => click({ visitor: BigInt(made) * 7919n, ...given }));
}

async function append(batch: readonly Click[]): Promise<void> {
  if (batch.length > 0) await store.append({ partition: 0, clicks: batch, publishedAt: new Date(), lease: FREE });
}

/** As a batch is ingested. */
async function ingest(batch: readonly Click[], by = sketches): Promise<void> {
  await append(batch);
  await by.add(batch);
}

function fold(): Promise<void> {
  return new VisitorFold({ days, afterwards: async () => undefined, log, now: () => now }).run();
}

interface Scope {
  tenantId: string;
  linkIds: string[] | undefined;
  from: number;
  to: number;
}

function within(all: readonly Click[], { tenantId, linkIds, from, to }: Scope): Click[] {
  return all.filter(
    (each) =>
      each.trafficClass === 'HUMAN' &&
      each.tenantId === tenantId &&
      (!linkIds || linkIds.includes(each.linkId)) &&
      each.timeMs >= from &&
      each.timeMs < to,
  );
}

function truth(of: readonly Click[]): number {
  return new Set(of.filter(({ visitor }) => visitor !== undefined).map(({ saltId, visitor }) => `${saltId} ${visitor}`))
    .size;
}

function ask(all: readonly Click[], scope: Scope, maxExact?: number) {
  const numbers = new VisitorNumbers({ clicks, days, sketches, ...(maxExact === undefined ? {} : { maxExact }) });
  return numbers.of({ ...scope, human: within(all, scope).length, asOf: now });
}

const anyClick = fc
  .record({
    tenantId: fc.constantFrom('ten_1', 'ten_2'),
    linkId: fc.constantFrom(...LINKS),
    timeMs: fc.integer({ min: FIRST, max: FIRST + DAYS * DAY_MS - 1 }),
    trafficClass: fc.constantFrom('HUMAN' as const, 'HUMAN' as const, 'HUMAN' as const, 'BOT' as const),
    visitor: fc.constantFrom(1n, 2n, 3n, 2n ** 53n - 1n, 2n ** 64n - 1n, undefined),
  })
  .map((given) => ({ click: click(given), late: given.timeMs % 4 === 0 }));

const anyTime = fc
  .record({ day: fc.integer({ min: 0, max: DAYS }), off: fc.constantFrom(0, 0, -5 * HOUR_MS, 7 * HOUR_MS + 1) })
  .map(({ day, off }) => FIRST + day * DAY_MS + off);

const anyScope = fc
  .record({
    tenantId: fc.constantFrom('ten_1', 'ten_2'),
    linkIds: fc.option(fc.subarray(LINKS), { nil: undefined }),
    times: fc.tuple(anyTime, anyTime).filter(([a, b]) => a !== b),
  })
  .map(({ times: [a, b], ...rest }): Scope => ({ ...rest, from: Math.min(a, b), to: Math.max(a, b) }));

describe('visitors of days that have ended', () => {
  it('are those of the clicks, whatever came when, for any scope and span', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyClick, { minLength: 1, maxLength: 60 }),
        fc.array(anyScope, { minLength: 6, maxLength: 6 }),
        async (all, scopes) => {
          for (const { collectionName } of await db().collections())
            await db().collection(collectionName).deleteMany({});
          await skipEarlierDays();
          const come: Click[] = [];
          const arrive = async (batch: Click[]) => {
            await append(batch);
            come.push(...batch);
          };
          const check = async () => {
            for (const scope of scopes) {
              const answer = await ask(come, scope);
              expect(answer?.value).toBe(truth(within(come, scope)));
              expect(answer?.relativeError).toBeUndefined();
            }
          };
          for (let day = FIRST; day < FIRST + DAYS * DAY_MS; day += DAY_MS) {
            now = day + DAY_MS - 1;
            const ofDay = all.filter((each) => dayStart(each.click.timeMs) === day);
            await arrive(ofDay.filter(({ late }) => !late).map((each) => each.click));
            now = day + DAY_MS + 2 * HOUR_MS;
            await fold();
            await arrive(ofDay.filter(({ late }) => late).map((each) => each.click));
          }
          await check();
          await fold();
          await check();
          await fold();
          await check();
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);

  it('are known by their own when a month of raw clicks is gone; parts of such days are not', async () => {
    now = FIRST + 5 * HOUR_MS;
    const all = [...strangers(5), ...strangers(3, { linkId: 'lnk_2' }), click({ visitor: undefined })];
    await append(all);
    now = FIRST + 130 * DAY_MS;
    const retention = new Retention({ store, log, now: () => now });
    await new VisitorFold({ days, afterwards: () => retention.sweep(), log, now: () => now }).run();
    expect(await clicks.months()).not.toContain('events_202610');
    const scope = { tenantId: 'ten_1', linkIds: undefined, from: FIRST, to: FIRST + 3 * DAY_MS };
    expect(await ask(all, scope)).toEqual({ value: 8, method: 'SUM_OF_WINDOWS', relativeError: undefined });
    const link = { ...scope, linkIds: ['lnk_2'], to: FIRST + DAY_MS };
    expect(await ask(all, link)).toEqual({ value: 3, method: 'EXACT', relativeError: undefined });
    expect(await ask(all, { ...link, from: FIRST + 1 })).toBeUndefined();
    expect(await ask(all, { ...scope, linkIds: ['lnk_1', 'lnk_2'] })).toBeUndefined();
    expect(await ask(all, { ...link, linkIds: ['lnk_3'] })).toMatchObject({ value: 0, method: 'EXACT' });
  });

  it('is not counted in the hour after its end, nor are late clicks of it', async () => {
    now = FIRST + DAY_MS - 1;
    await append(strangers(2));
    now = FIRST + DAY_MS + 1;
    await append(strangers(1, { timeMs: FIRST }));
    now = FIRST + DAY_MS + HOUR_MS - 1;
    await fold();
    expect(
      await db()
        .collection<{ _id: Date }>('visitors_folded')
        .countDocuments({ _id: { $gte: new Date(FIRST) } }),
    ).toBe(0);
    expect(await db().collection('visitors_daily').countDocuments({ stale: true })).toBe(2);
    now += 1;
    await fold();
    expect(await db().collection('visitors_daily').find().toArray()).toMatchObject([{ visitors: 3 }, { visitors: 3 }]);
  });

  it('stay marked until they are right, while late clicks and several counters meet', async () => {
    now = FIRST + HOUR_MS;
    await append(strangers(20));
    now = FIRST + 2 * DAY_MS;
    let appending = true;
    const appenders = [0, 1, 2].map(async (partition) => {
      for (let i = 0; i < 25; i++) {
        const batch = strangers(3, { timeMs: FIRST, linkId: LINKS[i % 3] as string });
        await expect
          .poll(() =>
            store.append({ partition, clicks: batch, publishedAt: new Date(), lease: FREE }).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true);
      }
    });
    const counters = [1, 2].map(async () => {
      while (appending) {
        await days.fold(FIRST);
        await days.foldStale(now);
        await expectMarkedOrRight();
      }
    });
    await Promise.all(appenders);
    appending = false;
    await Promise.all(counters);
    await fold();
    expect(await db().collection('visitors_daily').countDocuments({ stale: true })).toBe(0);
    const whole = await days.read('ten_1', '-', FIRST, FIRST + DAY_MS);
    expect(whole.get(FIRST)).toEqual({ clicks: 245, visitors: 245 });
  });

  /** In one snapshot: what is not marked has exactly the clicks that are there. */
  async function expectMarkedOrRight(): Promise<void> {
    const scope = { tenantId: 'ten_1', linkIds: undefined };
    const day = { from: FIRST, to: FIRST + DAY_MS };
    const [read, raw] = await store.read(async ({ days, people }) => [
      (await days.read('ten_1', '-', day.from, day.to)).get(FIRST),
      await people.count(scope, day),
    ]);
    if (read) expect(read).toEqual(raw);
  }
});

describe('visitors of the running day', () => {
  const today = () => ({ tenantId: 'ten_1', linkIds: undefined, from: dayStart(now), to: dayStart(now) + DAY_MS });
  const near = (value: number | undefined, exact: number) => {
    expect(value).toBeGreaterThan(exact * 0.98);
    expect(value).toBeLessThan(exact * 1.02);
  };

  it('of 150,000 are estimated within 2 %, for the link and for the tenant', async () => {
    for (let i = 0; i < 50; i++) await sketches.add([...strangers(2_000), ...strangers(1_000, { linkId: 'lnk_2' })]);
    near(await sketches.estimate('ten_1', undefined, dayStart(now)), 150_000);
    near(await sketches.estimate('ten_1', 'lnk_2', dayStart(now)), 50_000);
  });

  it('are counted when they are few, estimated when they are many, and none for many links that are too many', async () => {
    const all = [...strangers(60), ...strangers(50, { linkId: 'lnk_2' }), ...strangers(40, { timeMs: now - DAY_MS })];
    await ingest(all);
    const scope = today();
    expect(await ask(all, scope, 110)).toEqual({ value: 110, method: 'EXACT', relativeError: undefined });
    const estimated = await ask(all, scope, 109);
    expect(estimated).toMatchObject({ method: 'HLL', relativeError: 0.0081 });
    near(estimated?.value, 110);
    expect(await ask(all, { ...scope, linkIds: ['lnk_1', 'lnk_2'] }, 109)).toBeUndefined();
    const twoDays = { ...scope, from: scope.from - DAY_MS };
    expect(await ask(all, twoDays, 109)).toMatchObject({ method: 'SUM_OF_WINDOWS', relativeError: 0.0081 });
    near((await ask(all, twoDays, 109))?.value, 150);
    // A part of a day has no sketch.
    expect(await ask(all, { ...scope, to: now }, 10)).toBeDefined();
    expect(await ask(all, { ...scope, from: scope.from + 1 }, 10)).toBeUndefined();
  });

  it('are read from raw clicks once, and then no more until the sketch is lost', async () => {
    await append(strangers(3_000));
    let reads = 0;
    const counting: Pick<VisitorClicks, 'visitorsOf'> = {
      visitorsOf(...args) {
        reads++;
        return clicks.visitorsOf(...args);
      },
    };
    const process = new VisitorSketches({ redis, epochs, clicks: counting });
    const estimate = async () => near(await process.estimate('ten_1', 'lnk_1', dayStart(now)), 3_000);
    await Promise.all([estimate(), estimate()]);
    const first = reads;
    await estimate();
    expect(reads).toBe(first);
    await admin.pipeline([['del', `uv:${await epochs.current()}:ten_1:lnk_1:${day()}`]]);
    await estimate();
    expect(reads).toBe(first + 1);
  });

  const day = () => new Date(now).toISOString().slice(0, 10);

  it('are never too few, whatever Redis loses and however long it is away while batches flow', async () => {
    const all: Click[] = [];
    const other = anotherProcess();
    const flow = async () => {
      for (const by of [sketches, other, sketches]) {
        const batch = strangers(100);
        await ingest(batch, by);
        all.push(...batch);
      }
    };
    const check = async () => {
      await redisIsBack();
      const answer = await ask(all, today(), 10);
      expect(answer?.method).toBe('HLL');
      near(answer?.value, all.length);
    };
    const step = async (fault: () => Promise<unknown>) => {
      await flow();
      await check();
      await fault();
      await flow();
      await check();
    };
    await step(() => admin.pipeline([['flushall']]));
    await step(() => admin.pipeline([['del', 'uv:epoch']]));
    await step(async () => admin.pipeline([['del', `uv:${await epochs.current()}:ten_1:-:${day()}`]]));
    await step(() => epochs.next());
    await step(async () => {
      engines.redis?.kill('SIGKILL');
      await flow();
      expect(await ask(all, today(), 10)).toBeUndefined();
      await engines.redis?.restart();
    });
    await step(async () => {
      proxy.setFault({ kind: 'drop' });
      await flow();
      proxy.setFault({ kind: 'none' });
    });
  }, 40_000);

  it('count a batch whose process died between its commit and Redis, once it has come again', async () => {
    const all = strangers(200);
    await ingest(all);
    near((await ask(all, today(), 10))?.value, 200);
    const batch = strangers(200);
    await append(batch);
    await ingest(batch, anotherProcess());
    near((await ask([...all, ...batch], today(), 10))?.value, 400);
  });

  it('give a batch back when neither Redis nor MongoDB can say that it is missing', async () => {
    const failing = { current: () => Promise.reject(new Error('away')), next: () => Promise.reject(new Error('away')) };
    const down = { pipeline: () => Promise.reject(new Error('down')) };
    const process = new VisitorSketches({ redis: down, epochs: failing, clicks });
    await expect(process.add(strangers(1))).rejects.toThrow('away');
  });
});

it('the Redis user of the service has its own keys and next to no commands (RD-1)', async () => {
  for (const command of [
    ['get', 'uv:epoch'],
    ['del', 'uv:1'],
    ['pfadd', 'sl:x', 'y'],
    ['flushall'],
    ['keys', '*'],
  ] as RedisCommand[]) {
    await expect(redis.pipeline([command])).rejects.toThrow('NOPERM');
    await redisIsBack();
  }
});
