import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type JetStreamManager, type NatsConnection, nanos, type StreamConfig } from 'nats';
import { ulid } from 'ulid';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Credentials, createCredentials, withCredentials } from '../dev/credentials.js';
import { type Engines, startEngines } from '../dev/engines.js';
import { createLog } from './log.js';
import { Nats } from './nats.js';
import { inboxPrefix, type NatsRole } from './nats-users.js';
import { StreamFollower } from './stream-follower.js';
import { STREAMS, type StreamName } from './streams.js';

const WITHIN = { timeout: 10_000, interval: 20 };
const ADMIN = { user: 'admin', password: 'of this test alone' };
const OTHERS = { mongodbUrl: 'mongodb://unused', redisUrl: 'redis://unused' };

let directory: string;
let engines: Engines;
let credentials: Credentials;
let admin: NatsConnection;
let manager: JetStreamManager;
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-nats-'));
  credentials = createCredentials();
  const natsConfig = () => withAdmin(credentials.natsConfig);
  engines = await startEngines({ dataDir: directory, natsConfig, external: OTHERS, log: () => undefined });
  admin = await connect({
    servers: engines.natsUrl.replace('nats://', ''),
    user: ADMIN.user,
    pass: ADMIN.password,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  });
  manager = await admin.jetstreamManager();
});

beforeEach(async () => {
  for (const name of Object.keys(STREAMS)) await manager.streams.delete(name).catch(() => undefined);
});

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

afterAll(async () => {
  await admin.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The users of the product, and one who may do anything. */
function withAdmin(config: string): string {
  const { users } = JSON.parse(config.replace(/^authorization:/, ''));
  return `authorization: ${JSON.stringify({ users: [...users, ADMIN] })}\n`;
}

function start(role: NatsRole, owns: StreamName[] = []): Nats {
  const url = withCredentials(engines.natsUrl, role, credentials.nats[role]);
  const nats = new Nats({ url, name: role, replicas: 1, owns, log: createLog('test', 'silent') });
  stops.push(() => nats.stop());
  return nats;
}

async function isUp(nats: Nats): Promise<void> {
  await expect.poll(() => nats.up, WITHIN).toBe(true);
}

/** The user as any client library would speak for it. */
async function client(role: NatsRole): Promise<NatsConnection> {
  const servers = engines.natsUrl.replace('nats://', '');
  const user = { user: role, pass: credentials.nats[role], inboxPrefix: inboxPrefix(role) };
  const connection = await connect({ servers, ...user });
  stops.push(() => connection.close());
  return connection;
}

/** Again while the server still removes the files of one that was deleted. */
async function addStream(name: string, settings: Partial<StreamConfig> = {}): Promise<void> {
  const add = () => manager.streams.add({ name, subjects: ['inv.>'], ...settings });
  await expect
    .poll(
      () =>
        add().then(
          () => true,
          () => false,
        ),
      WITHIN,
    )
    .toBe(true);
}

async function streamExists(name: StreamName): Promise<boolean> {
  return manager.streams.info(name).then(
    () => true,
    () => false,
  );
}

/** Until it is acknowledged, as the relay does. */
async function publishSurely(nats: Nats, subject: string, text: string): Promise<void> {
  const id = ulid();
  await expect
    .poll(
      () =>
        nats.publish(subject, Buffer.from(text), id).then(
          () => true,
          () => false,
        ),
      WITHIN,
    )
    .toBe(true);
}

interface Follow {
  heard: string[];
  gaps: string[];
}

function follow(nats: Nats): Follow {
  const heard: string[] = [];
  const gaps: string[] = [];
  const follower = new StreamFollower({
    nats,
    stream: 'INVALIDATIONS',
    subjects: ['inv.link.>'],
    onMessage: (_subject, data) => heard.push(Buffer.from(data).toString()),
    onGap: (reason) => gaps.push(reason),
    log: createLog('test', 'silent'),
  });
  follower.start();
  stops.unshift(() => follower.stop());
  return { heard, gaps };
}

test('streams that are missing are made, with the settings of decisions 22', async () => {
  start('link', ['INVALIDATIONS', 'EVENTS']);
  for (const name of ['INVALIDATIONS', 'EVENTS'] as const) {
    await expect.poll(() => streamExists(name), WITHIN).toBe(true);
    const { config } = await manager.streams.info(name);
    expect(config).toMatchObject({ ...STREAMS[name], num_replicas: 1 });
  }
});

test('the settings of a stream that exists are brought up to date, and its messages stay', async () => {
  await addStream('INVALIDATIONS', { max_age: nanos(5_000_000) });
  await admin.jetstream().publish('inv.link.g.c', 'kept');
  start('domain', ['INVALIDATIONS']);
  const wanted = STREAMS.INVALIDATIONS.max_age;
  await expect.poll(async () => (await manager.streams.info('INVALIDATIONS')).config.max_age, WITHIN).toBe(wanted);
  expect((await manager.streams.info('INVALIDATIONS')).state.messages).toBe(1);
});

test('a stream that cannot be made at first is made when it can', async () => {
  await addStream('OTHER');
  try {
    const refused = await apiErrors();
    start('link', ['INVALIDATIONS']);
    // That there is none yet is the first, that its subjects are taken the second.
    await expect.poll(apiErrors, WITHIN).toBeGreaterThanOrEqual(refused + 2);
  } finally {
    await manager.streams.delete('OTHER');
  }
  await expect.poll(() => streamExists('INVALIDATIONS'), WITHIN).toBe(true);
});

/** How many calls of its API JetStream has refused in all. */
async function apiErrors(): Promise<number> {
  return (await manager.getAccountInfo()).api.errors;
}

test('a stream that is removed while its owner is connected is made again when somebody publishes', async () => {
  const nats = start('link', ['INVALIDATIONS']);
  await expect.poll(() => streamExists('INVALIDATIONS'), WITHIN).toBe(true);
  await manager.streams.delete('INVALIDATIONS');
  await expect(nats.publish('inv.link.g.c', Buffer.from('x'), ulid())).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  await publishSurely(nats, 'inv.link.g.c', 'x');
});

test('what is published under one id twice is stored once', async () => {
  const nats = start('link', ['EVENTS']);
  await publishSurely(nats, 'evt.ten_1.link.created', 'first');
  for (let i = 0; i < 2; i++) await nats.publish('evt.ten_1.link.updated', Buffer.from('same'), 'same');
  expect((await manager.streams.info('EVENTS')).state.messages).toBe(2);
});

test.each([
  ['redirect', 'inv.link.g.c'],
  ['redirect', 'inv.beat.link'],
  ['redirect', 'evt.ten_1.link.created'],
  ['redirect', '$JS.API.STREAM.DELETE.INVALIDATIONS'],
  ['redirect', '$JS.API.STREAM.PURGE.INVALIDATIONS'],
  ['redirect', '$JS.API.CONSUMER.CREATE.EVENTS.x'],
  ['link', 'inv.host.s.example'],
  ['link', 'inv.beat.domain'],
  ['link', '$JS.API.STREAM.DELETE.EVENTS'],
  ['domain', 'inv.link.g.c'],
  ['domain', 'inv.beat.link'],
] as const)('%s may not publish %s (N2)', async (role, subject) => {
  const connection = await client(role);
  const refused = connection.request(subject, '', { timeout: 2_000 });
  await expect(refused).rejects.toMatchObject({ code: 'PERMISSIONS_VIOLATION' });
});

test.each(['>', 'inv.>', 'evt.>', '$JS.>', '$SYS.>', '_INBOX.>', '_INBOX_link.>'])(
  'redirect may not listen to %s, neither past its stream nor to the answers of others (N2)',
  async (subject) => {
    const connection = await client('redirect');
    const refused = new Promise((resolve) =>
      connection.subscribe(subject, { callback: (error) => resolve(error?.code) }),
    );
    expect(await refused).toBe('PERMISSIONS_VIOLATION');
  },
);

test('nobody speaks to NATS without a password', async () => {
  const servers = engines.natsUrl.replace('nats://', '');
  await expect(connect({ servers })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
  await expect(connect({ servers, user: 'link', pass: 'wrong' })).rejects.toMatchObject({
    code: 'AUTHORIZATION_VIOLATION',
  });
});

test('a password that the server does not know yet is tried until it does', async () => {
  const file = join(directory, 'nats', 'nats.conf');
  const before = await readFile(file, 'utf8');
  const replaced = before.replace(credentials.nats.link, 'a-new-password');
  credentials.nats.link = 'a-new-password';
  const nats = start('link', ['EVENTS']);
  const other = start('domain');
  await isUp(other);
  expect(nats.up).toBe(false);
  await writeFile(file, replaced);
  engines.nats?.kill('SIGHUP');
  await isUp(nats);
  await publishSurely(nats, 'evt.ten_1.link.created', 'x');
});

test('redirect reads its stream in order, from where it stood at the start', async () => {
  const link = start('link', ['INVALIDATIONS']);
  await publishSurely(link, 'inv.link.g.before', 'before');
  const { heard, gaps } = follow(start('redirect'));
  await expect.poll(() => gaps, WITHIN).toEqual(['first connect']);
  const sent = Array.from({ length: 100 }, (_, i) => String(i));
  for (const i of sent) await link.publish(`inv.link.g.${i}`, Buffer.from(i), ulid());
  await expect.poll(() => heard.length, WITHIN).toBeGreaterThanOrEqual(100);
  expect(heard).toEqual(sent);
});

test('a reader that starts before its stream and before NATS reads it when it is there', async () => {
  engines.nats?.kill('SIGKILL');
  const { heard, gaps } = follow(start('redirect'));
  await engines.nats?.restart();
  const link = start('link', ['INVALIDATIONS']);
  await expect.poll(() => gaps, WITHIN).toEqual(['first connect']);
  await publishSurely(link, 'inv.link.g.c', 'x');
  await expect.poll(() => heard, WITHIN).toEqual(['x']);
});

test('a reader misses nothing and reads nothing twice over a kill -9 of the server (K-10)', async () => {
  const link = start('link', ['INVALIDATIONS']);
  const { heard, gaps } = follow(start('redirect'));
  await expect.poll(() => gaps.length, WITHIN).toBe(1);
  const sent = Array.from({ length: 60 }, (_, i) => String(i));
  const writing = (async () => {
    for (const i of sent) await publishSurely(link, `inv.link.g.${i}`, i);
  })();
  await expect.poll(() => heard.length, WITHIN).toBeGreaterThan(10);
  engines.nats?.kill('SIGKILL');
  await expect.poll(() => link.up, WITHIN).toBe(false);
  await engines.nats?.restart();
  await writing;
  await expect.poll(() => heard.length, WITHIN).toBeGreaterThanOrEqual(sent.length);
  expect(heard).toEqual(sent);
  expect(gaps).toEqual(['first connect']);
});

test('a reader learns that its stream was made anew, and goes on reading', async () => {
  const link = start('link', ['INVALIDATIONS']);
  const { heard, gaps } = follow(start('redirect'));
  await expect.poll(() => gaps.length, WITHIN).toBe(1);
  for (const i of ['1', '2', '3']) await publishSurely(link, `inv.link.g.${i}`, i);
  await expect.poll(() => heard, WITHIN).toEqual(['1', '2', '3']);
  await manager.streams.delete('INVALIDATIONS');
  await publishSurely(link, 'inv.link.g.4', '4');
  await expect.poll(() => gaps, WITHIN).toEqual(['first connect', 'stream made anew']);
  await publishSurely(link, 'inv.link.g.5', '5');
  await expect.poll(() => heard, WITHIN).toEqual(['1', '2', '3', '4', '5']);
});

test('a reader loses nothing of a stream made anew, whatever its numbers and however busy it is', async () => {
  const link = start('link', ['INVALIDATIONS']);
  const { heard, gaps } = follow(start('redirect'));
  await expect.poll(() => gaps.length, WITHIN).toBe(1);
  for (const i of ['1', '2', '3']) await publishSurely(link, `inv.link.g.${i}`, i);
  await expect.poll(() => heard, WITHIN).toEqual(['1', '2', '3']);
  await manager.streams.delete('INVALIDATIONS');
  await addStream('INVALIDATIONS');
  const sent: string[] = [];
  const end = Date.now() + 8_000;
  while (gaps.length < 2 && Date.now() < end) {
    sent.push(`new ${sent.length}`);
    await publishSurely(link, `inv.link.g.${sent.length}`, `new ${sent.length - 1}`);
  }
  expect(gaps).toEqual(['first connect', 'stream made anew']);
  await expect.poll(() => sent.filter((text) => !heard.includes(text)), WITHIN).toEqual([]);
});

test('while the server is down publishing fails at once and keeps nothing in memory; afterwards it works', async () => {
  const nats = start('link', ['EVENTS']);
  await publishSurely(nats, 'evt.ten_1.link.created', 'x');
  engines.nats?.kill('SIGKILL');
  await expect.poll(() => nats.up, WITHIN).toBe(false);
  const data = Buffer.alloc(1_000);
  const before = process.memoryUsage();
  const began = performance.now();
  const results = await Promise.allSettled(
    Array.from({ length: 20_000 }, (_, i) => nats.publish('evt.ten_1.link.created', data, String(i))),
  );
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(results.every((result) => result.status === 'rejected' && result.reason.kind === 'UNAVAILABLE')).toBe(true);
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(5_000_000);
  await engines.nats?.restart();
  await isUp(nats);
  await publishSurely(nats, 'evt.ten_1.link.created', 'y');
});

test('a publish that a hung server leaves unanswered fails within its time', async () => {
  const nats = start('link', ['EVENTS']);
  await publishSurely(nats, 'evt.ten_1.link.created', 'x');
  engines.nats?.kill('SIGSTOP');
  try {
    const began = performance.now();
    const call = nats.publish('evt.ten_1.link.created', Buffer.from('x'), ulid());
    await expect(call).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(2_500);
  } finally {
    engines.nats?.kill('SIGCONT');
  }
  await publishSurely(nats, 'evt.ten_1.link.created', 'y');
});

test('one that never reached a server stops at once', async () => {
  engines.nats?.kill('SIGKILL');
  const nats = start('link', ['EVENTS']);
  const began = performance.now();
  await nats.stop();
  expect(performance.now() - began).toBeLessThan(500);
  await engines.nats?.restart();
});
