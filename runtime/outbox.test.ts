import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Engines, startEngines } from '../dev/engines.js';
import { Event } from '../gen/proto/waypost/event/v1/event.js';
import { Lease } from './lease.js';
import { createLog } from './log.js';
import { Mongo } from './mongo.js';
import { Nats } from './nats.js';
import { type Effect, OUTBOX_CHUNK, Outbox, type OutboxRow, outboxRow, publishing } from './outbox.js';
import { RELAY_LEASE_MS, Relay } from './relay.js';

const WITHIN = { timeout: 5_000, interval: 10 };
const log = createLog('test', 'silent');

let directory: string;
let engines: Engines;
let observer: MongoClient;
let admin: NatsConnection;
let manager: JetStreamManager;
let mongo: Mongo;
let nats: Nats;
/** Each test has an outbox, a lease and subjects of its own. */
let testNumber = 0;
let rows: Collection<OutboxRow>;
let beats: number[];
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-outbox-'));
  engines = await startEngines({
    dataDir: directory,
    testCommands: true,
    external: { redisUrl: 'redis://unused' },
    log: () => undefined,
  });
  observer = await MongoClient.connect(engines.mongodbUrl);
  const servers = engines.natsUrl.replace('nats://', '');
  admin = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  admin.subscribe('inv.beat.test', { callback: () => beats.push(performance.now()) });
  mongo = new Mongo({
    url: engines.mongodbUrl,
    database: 'test',
    timeoutMs: 2_000,
    commitWaitMs: 2_000,
    appName: 'outbox-test',
  });
  nats = new Nats({ url: engines.natsUrl, name: 'test', replicas: 1, owns: ['INVALIDATIONS', 'EVENTS'], log });
  manager = await admin.jetstreamManager();
  await vi.waitFor(() => manager.streams.info('EVENTS'), WITHIN);
});

beforeEach(() => {
  testNumber++;
  beats = [];
  rows = observer.db('test').collection<OutboxRow>(collectionName());
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

afterAll(async () => {
  await nats.stop();
  await mongo.stop();
  await admin.close();
  await observer.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

function collectionName(): string {
  return `outbox_${testNumber}`;
}

/** An effect that does what the test says, and remembers which rows it was made for. */
function effect(name: string, run: () => unknown = () => undefined): Effect & { made: string[] } {
  const made: string[] = [];
  return {
    name,
    made,
    async run(due) {
      await run();
      made.push(...due.map((row) => row._id));
    },
  };
}

function outboxOf(...effects: Effect[]): Outbox {
  const outbox = new Outbox(mongo, { collection: collectionName(), effects, log });
  stops.push(() => outbox.stop());
  return outbox;
}

function row(outbox: Outbox, subjects: string[] = [], changes: Partial<OutboxRow> = {}): OutboxRow {
  const made = outboxRow(
    {
      type: 'link.created',
      tenantId: 'ten_1',
      objectId: 'lnk_1',
      rev: 1,
      actor: { id: 'key_1', kind: 'API_KEY', name: 'a key' },
      traceId: 'trace',
      subjects,
      audit: { action: 'link.create', object: 'lnk_1', source: 'API', clientIp: '' },
    },
    outbox.effects,
  );
  return { ...made, ...changes };
}

/** As a writer does it. */
async function write(outbox: Outbox, ...written: OutboxRow[]): Promise<void> {
  await mongo.transaction((session) => outbox.insert(written, session));
}

function newLease(): Lease {
  const lease = new Lease(mongo.db, { name: collectionName(), ttlMs: RELAY_LEASE_MS, log });
  stops.push(() => lease.stop());
  return lease;
}

async function startRelay(outbox: Outbox, beatEffect = 'invalidate', lease = newLease()): Promise<Relay> {
  await lease.start();
  const relay = new Relay({ source: 'test', beatEffect, outbox, lease, nats, log });
  relay.start();
  stops.push(() => relay.stop());
  return relay;
}

async function pendingOf(id: string): Promise<string[] | undefined> {
  const found = await rows.findOne({ _id: id });
  expect(found).not.toBeNull();
  return found?.pending;
}

/** Messages that a stream holds under these subjects. */
async function stored(stream: string, subject: string): Promise<number> {
  const { state } = await manager.streams.info(stream, { subjects_filter: subject });
  return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
}

function evt(): string {
  return `evt.ten_${testNumber}.link.created`;
}

function open<T = void>() {
  let release: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

test('a row is delivered right after its commit, and then has nothing pending', async () => {
  const outbox = outboxOf(effect('cache'), publishing('event', 'evt.', nats));
  const written = row(outbox, [evt(), 'inv.link.g.c']);
  await write(outbox, written);
  expect(await pendingOf(written._id)).toEqual(['cache', 'event']);
  void outbox.deliverSoon([written]);
  await expect.poll(() => pendingOf(written._id), WITHIN).toBeUndefined();
  const message = await manager.streams.getMessage('EVENTS', { last_by_subj: evt() });
  expect(Event.decode(message.data)).toMatchObject({
    id: written._id,
    type: 'link.created',
    tenantId: 'ten_1',
    objectId: 'lnk_1',
    rev: 1,
    occurredAt: written.at,
    actor: { id: 'key_1', kind: 'ACTOR_KIND_API_KEY', name: 'a key' },
    traceId: 'trace',
  });
});

test('each subject of a row is stored once, two of one stream as well, however often it is published', async () => {
  const publish = publishing('event', 'evt.', nats);
  const written = row(outboxOf(publish), [`${evt()}.a`, `${evt()}.b`, 'inv.link.g.c']);
  for (let i = 0; i < 2; i++) await publish.run([written]);
  expect(await stored('EVENTS', `${evt()}.*`)).toBe(2);
});

test('a row of a transaction that fails is never seen', async () => {
  const outbox = outboxOf(effect('cache'));
  const written = row(outbox);
  const failed = mongo.transaction(async (session) => {
    await outbox.insert([written], session);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await rows.countDocuments()).toBe(0);
  expect(await outbox.pending('cache')).toEqual([]);
});

test('a row whose writer died after the commit is published by the relay within about a second (K-8)', async () => {
  const outbox = outboxOf(publishing('invalidate', 'inv.', nats), publishing('event', 'evt.', nats));
  await startRelay(outbox);
  await expect.poll(() => beats.length, WITHIN).toBeGreaterThan(0);
  const written = row(outbox, [evt(), `inv.link.g${testNumber}.c`]);
  await write(outbox, written);
  const began = performance.now();
  await expect.poll(() => stored('INVALIDATIONS', `inv.link.g${testNumber}.c`), WITHIN).toBe(1);
  await expect.poll(() => stored('EVENTS', evt()), WITHIN).toBe(1);
  expect(performance.now() - began).toBeLessThan(1_500);
  await expect.poll(() => pendingOf(written._id), WITHIN).toBeUndefined();
});

test('the stream holds an event once although writer and relay both published it', async () => {
  const publish = publishing('event', 'evt.', nats);
  const outbox = outboxOf(publish);
  const written = row(outbox, [evt()]);
  await write(outbox, written);
  // The writer publishes, and dies before it strikes the row.
  await publish.run([written]);
  expect(await stored('EVENTS', evt())).toBe(1);
  await startRelay(outbox, 'event');
  await expect.poll(() => pendingOf(written._id), WITHIN).toBeUndefined();
  expect(await stored('EVENTS', evt())).toBe(1);
});

test('while NATS is down no row is lost and none is published twice; all go out after it returns', async () => {
  const outbox = outboxOf(publishing('event', 'evt.', nats));
  await startRelay(outbox, 'event');
  engines.nats?.kill('SIGKILL');
  const written = Array.from({ length: 20 }, (_, i) => row(outbox, [`${evt()}.${i}`]));
  for (const each of written) {
    await write(outbox, each);
    void outbox.deliverSoon([each]);
  }
  await expect.poll(() => nats.up, WITHIN).toBe(false);
  expect(await rows.countDocuments({ pending: 'event' })).toBe(20);
  const before = beats.length;
  await engines.nats?.restart();
  await expect.poll(() => rows.countDocuments({ pending: 'event' }), WITHIN).toBe(0);
  await expect.poll(() => beats.length, WITHIN).toBeGreaterThan(before);
  expect(await stored('EVENTS', `${evt()}.*`)).toBe(20);
});

test('an effect that fails holds up no other, and repeats none: the writer', async () => {
  const bad = effect('bad', () => Promise.reject(new Error('away')));
  const good = effect('good');
  const outbox = outboxOf(bad, good);
  const written = row(outbox);
  await write(outbox, written);
  await outbox.deliver([written]);
  expect(good.made).toEqual([written._id]);
  expect(await pendingOf(written._id)).toEqual(['bad']);
});

test('an effect that fails holds up no other, and repeats none: the relay', async () => {
  let tries = 0;
  let away = true;
  const bad = effect('bad', () => {
    tries++;
    if (away) throw new Error('away');
  });
  const good = effect('good');
  const outbox = outboxOf(bad, good);
  const written = row(outbox);
  await write(outbox, written);
  await startRelay(outbox, 'good');
  await expect.poll(() => tries, WITHIN).toBeGreaterThan(3);
  expect(good.made).toEqual([written._id]);
  expect(await pendingOf(written._id)).toEqual(['bad']);
  expect(beats.length).toBeGreaterThan(0);
  away = false;
  await expect.poll(() => pendingOf(written._id), WITHIN).toBeUndefined();
  expect(bad.made).toEqual([written._id]);
  expect(good.made).toEqual([written._id]);
});

test('a row that can never be published holds up none beside it', async () => {
  const outbox = outboxOf(publishing('event', 'evt.', nats));
  // Above the largest message that the stream takes.
  const poison = row(outbox, [evt()], { traceId: 'x'.repeat(70_000) });
  const others = Array.from({ length: 5 }, (_, i) => row(outbox, [`${evt()}.${i}`]));
  await write(outbox, poison, ...others);
  await startRelay(outbox, 'event');
  await expect.poll(() => rows.countDocuments({ pending: 'event' }), WITHIN).toBe(1);
  expect(await pendingOf(poison._id)).toEqual(['event']);
  expect(await stored('EVENTS', `${evt()}.*`)).toBe(5);
});

test('there is no beat while an invalidation is overdue, and one again afterwards', async () => {
  let away = true;
  const invalidate = effect('invalidate', () => {
    if (away) throw new Error('away');
  });
  const outbox = outboxOf(effect('cache'), invalidate);
  await startRelay(outbox);
  await expect.poll(() => beats.length, WITHIN).toBeGreaterThan(2);
  await write(outbox, row(outbox));
  // The row is overdue after its grace; from then on there is silence.
  const silence = async () => {
    const heard = beats.length;
    await expect.poll(() => performance.now() - (beats.at(-1) ?? 0), WITHIN).toBeGreaterThan(700);
    return beats.length - heard;
  };
  expect(await silence()).toBeLessThan(5);
  away = false;
  await expect.poll(() => performance.now() - (beats.at(-1) ?? 0), WITHIN).toBeLessThan(200);
  expect(await rows.countDocuments({ pending: 'invalidate' })).toBe(0);
});

test('there is no beat before the last of a long backlog is out, and the backlog is worked off without pauses', async () => {
  const leftAt: number[] = [];
  const invalidate = effect('invalidate');
  const outbox = outboxOf(invalidate);
  const backlog = Array.from({ length: 4 * OUTBOX_CHUNK }, () => row(outbox));
  await write(outbox, ...backlog);
  const watch = admin.subscribe('inv.beat.test', {
    callback: () => leftAt.push(backlog.length - new Set(invalidate.made).size),
  });
  const began = performance.now();
  await startRelay(outbox);
  await expect.poll(() => leftAt.length, WITHIN).toBeGreaterThan(0);
  watch.unsubscribe();
  expect(leftAt[0]).toBe(0);
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('a new holder of the lease does not beat over what the last one left', async () => {
  const made = open();
  const invalidate = effect('invalidate', () => made.promise);
  const outbox = outboxOf(invalidate);
  await write(outbox, row(outbox));
  await startRelay(outbox);
  await expect.poll(() => outbox.pending('invalidate').then((pending) => pending.length), WITHIN).toBe(1);
  const left: number[] = [];
  const watch = admin.subscribe('inv.beat.test', { callback: () => left.push(invalidate.made.length) });
  await admin.flush();
  made.release();
  await expect.poll(() => left.length, WITHIN).toBeGreaterThan(0);
  watch.unsubscribe();
  expect(left[0]).toBe(1);
  expect(beats.length - left.length).toBe(0);
});

test('when the lease is lost under an effect the strike fails, and the new holder makes it', async () => {
  const [begun, go] = [open(), open()];
  const slow = effect('invalidate', async () => {
    begun.release();
    await go.promise;
  });
  const old = outboxOf(slow);
  const written = row(old);
  await write(old, written);
  const lost = newLease();
  await lost.start();
  const struck = old.redeliver([written], slow, lost);
  await begun.promise;
  await lost.stop();
  const next = effect('invalidate');
  const current = outboxOf(next);
  const lease = newLease();
  await lease.start();
  go.release();
  await expect(struck).rejects.toThrow('passed to another');
  expect(await pendingOf(written._id)).toEqual(['invalidate']);
  await startRelay(current, 'invalidate', lease);
  await expect.poll(() => pendingOf(written._id), WITHIN).toBeUndefined();
  expect(next.made).toEqual([written._id]);
});

test('a relay without the lease makes nothing and says nothing', async () => {
  const taken = newLease();
  await taken.start();
  const invalidate = effect('invalidate');
  const outbox = outboxOf(invalidate);
  await write(outbox, row(outbox));
  await startRelay(outbox);
  const began = performance.now();
  await expect.poll(() => performance.now() - began, WITHIN).toBeGreaterThan(900);
  expect(invalidate.made).toEqual([]);
  expect(beats).toEqual([]);
});

test('a stop waits for deliveries under way', async () => {
  const go = open();
  const outbox = outboxOf(effect('cache', () => go.promise));
  const written = row(outbox);
  await write(outbox, written);
  void outbox.deliverSoon([written]);
  let stopped = false;
  const stopping = outbox.stop().then(() => {
    stopped = true;
  });
  await pendingOf(written._id);
  expect(stopped).toBe(false);
  go.release();
  await stopping;
  expect(await pendingOf(written._id)).toBeUndefined();
});

test('a relay that is stopped in a round ends it, and begins no other', async () => {
  const [begun, go] = [open(), open()];
  const invalidate = effect('invalidate', async () => {
    begun.release();
    await go.promise;
  });
  const outbox = outboxOf(invalidate);
  const written = row(outbox);
  await write(outbox, written);
  const relay = await startRelay(outbox);
  await begun.promise;
  const stopping = relay.stop();
  go.release();
  await stopping;
  expect(await pendingOf(written._id)).toBeUndefined();
  await write(outbox, row(outbox));
  const began = performance.now();
  await expect.poll(() => performance.now() - began, WITHIN).toBeGreaterThan(600);
  expect(invalidate.made).toHaveLength(1);
});

test('a strike that is lost costs nobody an error, and no effect its making', async () => {
  const cache = effect('cache');
  const outbox = outboxOf(cache);
  const written = row(outbox);
  await write(outbox, written);
  const failPoint = { configureFailPoint: 'failCommand', mode: { times: 1 } };
  const data = { failCommands: ['update'], appName: 'outbox-test', errorCode: 50 };
  await observer.db('admin').command({ ...failPoint, data });
  await outbox.deliver([written]);
  expect(cache.made).toEqual([written._id]);
  await startRelay(outbox, 'cache');
  await expect.poll(() => pendingOf(written._id), WITHIN).toBeUndefined();
});
