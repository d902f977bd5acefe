import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { connect } from 'nats';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from './engine-port.js';
import { type EngineOptions, type Engines, startEngines } from './engines.js';

const TIMEOUT_MS = 60_000;
const ENDED = { timeout: 8_000 };
/** For what does not need the slowest of the three. */
const WITHOUT_MONGOD = { mongodbUrl: 'mongodb://unused' };

let dataDir: string;
let engines: Engines | undefined;
let reports: string[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-engines-'));
  reports = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await engines?.stop();
  engines = undefined;
  await rm(dataDir, { recursive: true });
});

async function start(options: Partial<EngineOptions> = {}): Promise<Engines> {
  engines = await startEngines({ dataDir, onExit: (name, how) => reports.push(`${name} ${how}`), ...options });
  return engines;
}

test('all three servers start, commit a transaction, keep a key and acknowledge a message; their data outlive a restart on other ports', {
  timeout: TIMEOUT_MS,
}, async () => {
  const first = await start();
  await inTransaction(first.mongodbUrl);
  const redis = new Redis(first.redisUrl);
  await redis.set('key', 'value');
  expect(await redis.get('key')).toBe('value');
  redis.disconnect();
  await publish(first.natsUrl);

  await first.stop();
  const second = await start();
  expect(second.mongodbUrl).not.toBe(first.mongodbUrl);
  expect(await inTransaction(second.mongodbUrl)).toBe(2);
  expect(await publish(second.natsUrl)).toBe(2);
  expect(reports).toEqual([]);
});

test('a killed server comes back on its port with what it had acknowledged', { timeout: TIMEOUT_MS }, async () => {
  const { mongod, nats, redis, mongodbUrl, natsUrl } = await start();
  await inTransaction(mongodbUrl);
  await publish(natsUrl);
  for (const engine of [mongod!, nats!, redis!]) {
    const pid = engine.pid;
    engine.kill('SIGKILL');
    await engine.restart();
    expect(engine.pid).not.toBe(pid);
  }
  expect(await inTransaction(mongodbUrl)).toBe(2);
  expect(await publish(natsUrl)).toBe(2);
  expect(reports).toEqual([]);
});

test('a frozen server is stopped too', { timeout: TIMEOUT_MS }, async () => {
  const { mongod, redis, nats, stop } = await start();
  const pids = [mongod!, redis!, nats!].map((engine) => engine.pid);
  redis!.kill('SIGSTOP');
  mongod!.kill('SIGSTOP');
  await stop();
  expect(await alive(pids)).toEqual([]);
});

test('a server that ends unasked is reported', { timeout: TIMEOUT_MS }, async () => {
  const { redis } = await start({ external: WITHOUT_MONGOD });
  process.kill(redis!.pid, 'SIGKILL');
  await expect.poll(() => reports, ENDED).toEqual(['valkey SIGKILL']);
});

test('a parent killed with -9 leaves no server, and the next start in its directory works at once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const script = `
    const { startEngines } = await import(${JSON.stringify(new URL('engines.ts', import.meta.url).href)});
    const { mongod, redis, nats, mongodbUrl } = await startEngines({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ pids: [mongod.pid, redis.pid, nats.pid], mongodbUrl }));`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(parent);
  const { pids, mongodbUrl } = JSON.parse((await once(createInterface(parent.stdout), 'line'))[0]);
  expect(await alive(pids)).toEqual(pids);
  await inTransaction(mongodbUrl);

  parent.kill('SIGKILL');
  const next = await start();
  expect(await alive(pids)).toEqual([]);
  expect(await inTransaction(next.mongodbUrl)).toBe(2);
});

test('a directory in use is not started in twice', { timeout: TIMEOUT_MS }, async () => {
  const { natsUrl } = await start({ external: WITHOUT_MONGOD });
  await expect(startEngines({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`);
  await publish(natsUrl);
});

test('a pid file that names a process of somebody else does it no harm', { timeout: TIMEOUT_MS }, async () => {
  const stranger = spawn('sleep', ['600']);
  children.push(stranger);
  await mkdir(join(dataDir, 'run'));
  await writeFile(join(dataDir, 'run', 'valkey.pid'), String(stranger.pid));
  await writeFile(join(dataDir, 'run', 'owner'), `${stranger.pid} 1`);
  await start({ external: WITHOUT_MONGOD });
  expect(await alive([stranger.pid!])).toEqual([stranger.pid]);
});

test('a fixed port that is taken is refused before a foreign server can be mistaken for ours', {
  timeout: TIMEOUT_MS,
}, async () => {
  const port = await freePort();
  const foreign = createServer().listen(port, '127.0.0.1');
  await once(foreign, 'listening');
  await expect(start({ external: WITHOUT_MONGOD, ports: { redis: port } })).rejects.toThrow(
    `valkey did not start: port ${port} is taken`,
  );
  foreign.close();
});

test('a server that refuses its configuration says why', { timeout: TIMEOUT_MS }, async () => {
  await expect(start({ external: WITHOUT_MONGOD, natsConfig: () => 'authorization {' })).rejects.toThrow(
    /nats ended.*\n.*Parse error/,
  );
});

test('credentials are in files that only their user reads, and are asked for', { timeout: TIMEOUT_MS }, async () => {
  const { redisUrl, natsUrl } = await start({
    external: WITHOUT_MONGOD,
    redisAcl: 'user default off\nuser app on >secret ~* +@all\n',
    natsConfig: () => 'authorization { users: [{ user: app, password: secret }] }',
  });
  for (const file of ['redis/users.acl', 'nats/nats.conf']) {
    expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
  }
  await expect(connect({ servers: natsUrl })).rejects.toThrow(/authorization/i);
  const redis = new Redis(redisUrl, { username: 'app', password: 'secret' });
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
});

test('fail points are to be had when asked for, and not else', { timeout: TIMEOUT_MS }, async () => {
  const external = { redisUrl: 'redis://unused', natsUrl: 'nats://unused' };
  const failCommand = { configureFailPoint: 'failCommand', mode: 'off' };
  for (const testCommands of [true, false]) {
    const { mongodbUrl, redisUrl, redis, nats, stop } = await start({ testCommands, external });
    expect([redisUrl, redis, nats]).toEqual(['redis://unused', undefined, undefined]);
    const client = new MongoClient(mongodbUrl);
    const result = client.db('admin').command(failCommand);
    if (testCommands) expect((await result).ok).toBe(1);
    else await expect(result).rejects.toThrow('no such command');
    await client.close();
    await stop();
  }
});

/** @returns the number of documents after adding one. */
async function inTransaction(url: string): Promise<number> {
  const client = new MongoClient(url);
  const documents = client.db('test').collection('documents');
  await client.withSession((session) => session.withTransaction(() => documents.insertOne({}, { session })));
  const count = await documents.countDocuments();
  await client.close();
  return count;
}

/** @returns the number of messages after adding one. */
async function publish(url: string): Promise<number> {
  const connection = await connect({ servers: url });
  await (await connection.jetstreamManager()).streams.add({ name: 'TEST', subjects: ['test'] });
  const { seq } = await connection.jetstream().publish('test');
  await connection.close();
  return seq;
}

/** Those of the processes that run; a dead one that nobody has reaped does not. */
async function alive(pids: number[]): Promise<number[]> {
  const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')));
  return pids.filter((_, at) => !/\) Z/.test(states[at]!));
}
