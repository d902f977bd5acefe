import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Document, MongoClient, MongoServerError } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Engines, startEngines } from '../dev/engines.js';
import { createLog } from './log.js';
import { Mongo, type MongoOptions, whenReachable } from './mongo.js';
import { duplicateKey, mongoFault } from './mongo-fault.js';

const APP = 'mongo-test';
const TIMEOUT_MS = 1_000;
/** Longer than a transaction and its grace, shorter than what a test may take. */
const STALL_MS = 2_500;
const LATEST_MS = TIMEOUT_MS + 500;
const OTHERS = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };

let directory: string;
let engines: Engines;
/** The test's own connection, which no fail point touches. */
let observer: MongoClient;
let stored: Collection<Document & { _id: string }>;
let mongo: Mongo;
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-mongo-'));
  engines = await startEngines({ dataDir: directory, testCommands: true, external: OTHERS, log: () => undefined });
  observer = await MongoClient.connect(engines.mongodbUrl);
  stored = observer.db('test').collection('things');
});

beforeEach(async () => {
  await stored.deleteMany({});
  mongo = start();
});

afterEach(async () => {
  await observer.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

afterAll(async () => {
  await observer.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

function start(changes: Partial<MongoOptions> = {}): Mongo {
  const budgets = { timeoutMs: TIMEOUT_MS, commitWaitMs: TIMEOUT_MS };
  const started = new Mongo({ url: engines.mongodbUrl, database: 'test', appName: APP, ...budgets, ...changes });
  stops.push(() => started.stop());
  return started;
}

function things(of: Mongo = mongo): Collection<Document & { _id: string }> {
  return of.db.collection('things');
}

/** Makes these commands of the connection under test fail. */
async function fail(failCommands: string[], data: Document, mode: unknown = 'alwaysOn'): Promise<void> {
  await observer
    .db('admin')
    .command({ configureFailPoint: 'failCommand', mode, data: { failCommands, appName: APP, ...data } });
}

async function stall(...commands: string[]): Promise<void> {
  await fail(commands, { blockConnection: true, blockTimeMS: STALL_MS });
}

/** How a call fails, and after how long. */
async function failureOf(call: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const began = performance.now();
  const error = await call.then(
    () => expect.fail('it succeeded'),
    (caught: unknown) => caught,
  );
  return { error, ms: performance.now() - began };
}

function insertOnce(_id: string): Promise<void> {
  return mongo.transaction(async (session) => {
    await things().insertOne({ _id }, { session });
    await mongo.db.collection<Document>('effects').insertOne({ of: _id }, { session });
  });
}

async function effects(_id: string): Promise<number> {
  return observer.db('test').collection('effects').countDocuments({ of: _id });
}

test('a transaction that meets conflicts is repeated until it is made, and made once', async () => {
  await stored.insertOne({ _id: 'counter', count: 0 });
  let attempts = 0;
  const add = () =>
    mongo.transaction(async (session) => {
      attempts++;
      const found = await things().findOne({ _id: 'counter' }, { session });
      await things().updateOne({ _id: 'counter' }, { $set: { count: found?.count + 1 } }, { session });
      return found?.count;
    });
  const before = await Promise.all(Array.from({ length: 6 }, add));
  expect(before.sort()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await stored.findOne({ _id: 'counter' })).toMatchObject({ count: 6 });
  expect(attempts).toBeGreaterThan(6);
});

test('without retries a conflict is thrown at once, and the next attempt is free to go', async () => {
  await stored.insertOne({ _id: 'counter', count: 0 });
  const first = mongo.transaction(async (session) => {
    await things().updateOne({ _id: 'counter' }, { $inc: { count: 1 } }, { session });
    const second = mongo.transaction(
      (other) => things().updateOne({ _id: 'counter' }, { $inc: { count: 1 } }, { session: other }),
      { retry: false },
    );
    return failureOf(second);
  });
  const { error } = await first;
  expect(mongoFault(error)).toMatchObject({ kind: 'UNAVAILABLE' });
  expect(await stored.findOne({ _id: 'counter' })).toMatchObject({ count: 1 });
});

test('what the work throws is thrown as it is, after one attempt, and nothing is written', async () => {
  let attempts = 0;
  const thrown = new Error('no');
  const call = mongo.transaction(async (session) => {
    attempts++;
    await things().insertOne({ _id: 'a' }, { session });
    throw thrown;
  });
  expect((await failureOf(call)).error).toBe(thrown);
  expect(attempts).toBe(1);
  expect(await stored.countDocuments()).toBe(0);
});

test('a commit whose confirmation is lost is asked for again, and is one', async () => {
  await fail(['commitTransaction'], { closeConnection: true }, { times: 2 });
  await insertOnce('lost');
  expect(await effects('lost')).toBe(1);
  // As when the majority has not confirmed it in time.
  await fail(['commitTransaction'], { writeConcernError: { code: 64, errmsg: 'waiting timed out' } }, { times: 2 });
  await insertOnce('unconfirmed');
  expect(await effects('unconfirmed')).toBe(1);
});

const VALUE = 'ext:ten_1:ü "quoted" \\ back: { brace }, 你好';

test.each<[string, (documents: Document[]) => Promise<unknown>]>([
  [
    'insertOne',
    async (documents) => {
      for (const document of documents) await things().insertOne(document as never);
    },
  ],
  ['insertMany', (documents) => things().insertMany(documents as never)],
  [
    'insertOne in a transaction',
    (documents) =>
      mongo.transaction(async (session) => {
        for (const document of documents) await things().insertOne(document as never, { session });
      }),
  ],
  [
    'insertMany in a transaction',
    (documents) => mongo.transaction((session) => things().insertMany(documents as never, { session })),
  ],
  [
    'updateOne with upsert',
    async (documents) => {
      for (const { _id, ...set } of documents) await things().updateOne({ _id }, { $set: set }, { upsert: true });
    },
  ],
])('a duplicate tells its index and its first value: %s', async (_how, insert) => {
  await stored.createIndex({ bucket: 1, code: 1 }, { unique: true, sparse: true });
  await stored.createIndex({ name: 1, code: 1 }, { unique: true, sparse: true });
  await stored.insertMany([{ _id: 'plain' }, { _id: VALUE }, { _id: 'x', bucket: 7, code: 'c', name: VALUE }] as never);
  const one = await failureOf(
    insert([
      { _id: 'new', bucket: 8, code: 'c' },
      { _id: 'other', bucket: 7, code: 'c' },
    ]),
  );
  expect(duplicateKey(one.error)).toEqual({ index: 'bucket_1_code_1', value: '' });
  const two = await failureOf(insert([{ _id: 'y', bucket: 9, code: 'c', name: VALUE }]));
  expect(duplicateKey(two.error)).toEqual({ index: 'name_1_code_1', value: VALUE });
  if (insert.toString().includes('upsert')) return;
  const three = await failureOf(insert([{ _id: 'free' }, { _id: 'plain' }, { _id: VALUE }]));
  expect(duplicateKey(three.error)).toEqual({ index: '_id_', value: 'plain' });
  const four = await failureOf(insert([{ _id: VALUE }]));
  expect(duplicateKey(four.error)).toEqual({ index: '_id_', value: VALUE });
});

test('any other error is no duplicate, and no fault of the database', () => {
  const other = new MongoServerError({ message: 'index: x dup key: { a: "b" }', code: 121 });
  for (const error of [other, new Error('E11000'), undefined, { code: 11000 }]) {
    expect(duplicateKey(error)).toBeUndefined();
    expect(mongoFault(error)).toBeUndefined();
  }
});

test.each([
  ['a write that the majority has not confirmed in time', 'insert', { writeConcernError: { code: 64, errmsg: 'x' } }],
  ['a write that met a primary that steps down', 'insert', { errorCode: 189 }],
  ['a read that a shutdown interrupts', 'find', { errorCode: 11600 }],
  ['a read that lost its primary', 'find', { errorCode: 10107 }],
  ['a read whose connection is cut', 'find', { closeConnection: true }],
  ['a read beyond its time', 'find', { errorCode: 50 }],
])('%s is UNAVAILABLE', async (_what, command, data) => {
  await fail([command], data);
  const call = command === 'find' ? things().findOne({}) : things().insertOne({ _id: 'x' });
  expect(mongoFault((await failureOf(call)).error)).toMatchObject({ kind: 'UNAVAILABLE' });
});

test('a commit that stalls ends in time as UNAVAILABLE, and leaves one effect or none, never two', async () => {
  await stall('commitTransaction');
  const { error, ms } = await failureOf(insertOnce('stalled'));
  expect(mongoFault(error)).toMatchObject({ kind: 'UNAVAILABLE' });
  expect(ms).toBeLessThan(LATEST_MS);
  await observer.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
  // The caller tries again under the same key, while the first attempt may still be under way.
  const again = await insertOnce('stalled').catch((caught: unknown) => caught);
  if (again) expect(duplicateKey(again)).toMatchObject({ value: 'stalled' });
  expect(await effects('stalled')).toBe(1);
});

test('a transaction whose work stalls ends in time, and is not committed afterwards', async () => {
  await fail(['insert'], { blockConnection: true, blockTimeMS: TIMEOUT_MS - 200 });
  const { error, ms } = await failureOf(insertOnce('slow'));
  expect(mongoFault(error)).toMatchObject({ kind: 'UNAVAILABLE' });
  expect(ms).toBeLessThan(LATEST_MS);
  // Until the second insert has been answered and the attempt is over.
  await expect.poll(openTransactions, { timeout: 5_000, interval: 20 }).toBe(0);
  expect(await effects('slow')).toBe(0);
});

async function openTransactions(): Promise<number> {
  return (await observer.db('admin').command({ serverStatus: 1 })).transactions.currentOpen;
}

test('a transaction ends in time although its abort stalls too', async () => {
  await stall('insert', 'abortTransaction');
  const { error, ms } = await failureOf(insertOnce('stuck'));
  expect(mongoFault(error)).toMatchObject({ kind: 'UNAVAILABLE' });
  expect(ms).toBeLessThan(LATEST_MS);
});

test('a server that hangs costs a transaction no more than its time', async () => {
  await insertOnce('before');
  engines.mongod?.kill('SIGSTOP');
  try {
    const { error, ms } = await failureOf(insertOnce('hung'));
    expect(mongoFault(error)).toMatchObject({ kind: 'UNAVAILABLE' });
    expect(ms).toBeLessThan(LATEST_MS);
  } finally {
    engines.mongod?.kill('SIGCONT');
  }
  await expect
    .poll(
      () =>
        insertOnce('after').then(
          () => true,
          () => false,
        ),
      { timeout: 5_000 },
    )
    .toBe(true);
});

test('writes wait for the majority and the journal, and reads see only what the majority has', async () => {
  const { writeConcern, readConcern } = mongo.db;
  expect(writeConcern).toMatchObject({ w: 'majority', journal: true, wtimeoutMS: TIMEOUT_MS });
  expect(readConcern).toMatchObject({ level: 'majority' });
});

test('while MongoDB is dead everything is UNAVAILABLE within 2.5 s; afterwards the same connection works', async () => {
  await insertOnce('before');
  engines.mongod?.kill('SIGKILL');
  const fresh = start({ timeoutMs: 6_000, commitWaitMs: 5_000 });
  const budget = start({ timeoutMs: 6_000, commitWaitMs: 5_000 });
  await Promise.all(
    [
      things().findOne({}),
      things().insertOne({ _id: 'x' }),
      insertOnce('y'),
      things(fresh).findOne({}),
      budget.transaction((session) => things(budget).insertOne({ _id: 'z' }, { session })),
    ].map(async (call) => {
      const { error, ms } = await failureOf(call);
      expect(mongoFault(error)).toMatchObject({ kind: 'UNAVAILABLE' });
      expect(ms).toBeLessThan(2_500);
    }),
  );
  expect(await mongo.ping()).toBe(false);

  let prepared = 0;
  const impatient = start({ timeoutMs: 300, commitWaitMs: 300 });
  const ready = whenReachable(createLog('test', 'silent'), async () => {
    prepared++;
    await things(impatient).findOne({});
  });
  await expect.poll(() => prepared, { timeout: 5_000 }).toBeGreaterThan(1);
  await engines.mongod?.restart();
  await ready;
  await insertOnce('after');
  expect(await mongo.ping()).toBe(true);
});

test('one that never reached a server stops at once, and one that is just connecting leaves nothing behind', async () => {
  const unreachable = start({ url: 'mongodb://127.0.0.1:1/' });
  const began = performance.now();
  await unreachable.stop();
  expect(performance.now() - began).toBeLessThan(500);
  for (let i = 0; i < 10; i++) await start({ appName: 'brief' }).stop();
  const connections = async () => {
    const all = [{ $currentOp: { allUsers: true, idleConnections: true } }, { $match: { appName: 'brief' } }];
    return (await observer.db('admin').aggregate(all).toArray()).length;
  };
  await expect.poll(connections, { timeout: 3_000 }).toBe(0);
  // Nor does it come back.
  const later = performance.now() + 400;
  await expect.poll(() => performance.now(), { timeout: 3_000 }).toBeGreaterThan(later);
  expect(await connections()).toBe(0);
});

test('a preparation that fails for a reason of its own is not tried for ever', async () => {
  const wrong = new Error('wrong');
  await expect(whenReachable(createLog('test', 'silent'), () => Promise.reject(wrong))).rejects.toBe(wrong);
});
