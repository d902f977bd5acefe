import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis as RedisClient } from 'ioredis';
import { type Collection, type Document, Long, MongoClient } from 'mongodb';
import { ulid } from 'ulid';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Engines, startEngines } from '../../dev/engines.js';
import { Event } from '../../gen/proto/waypost/event/v1/event.js';
import { bucketOf } from '../../model/link-id.js';
import { encodeSnapshot, NO_LINK_BODY, snapshotKey } from '../../model/snapshot.js';
import { createLog } from '../../runtime/log.js';
import { Nats } from '../../runtime/nats.js';
import { BEAT_EVERY_MS, beatSubject } from '../../runtime/streams.js';
import type { RedirectConfig } from './config.js';
import { type RunningRedirect, startRedirect } from './service.js';

/** Pods on the real engines; the control plane is this file, which writes what it would write and says what it would say. */
const GROUP = 'grp_1';
const HOST = 's.example';
const DATABASE = 'redirect_test';
const HOUR_AGO = new Date(Date.now() - 3_600_000);

let directory: string;
let engines: Engines;
let mongo: MongoClient;
let snapshots: Collection<Document>;
let hosts: Collection<Document & { _id: string }>;
let redis: RedisClient;
let nats: Nats;
let beating: NodeJS.Timeout;
let pods: RunningRedirect[] = [];
let lastId = 1n << 60n;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-redirect-'));
  engines = await startEngines({ dataDir: join(directory, 'engines'), log: () => undefined });
  mongo = await MongoClient.connect(engines.mongodbUrl);
  const db = mongo.db(DATABASE);
  snapshots = db.collection('snapshots');
  hosts = db.collection('hosts');
  await snapshots.createIndex({ bucket: 1, groupId: 1, shortCode: 1 }, { unique: true });
  await snapshots.createIndex({ changedAt: 1 });
  await putHost(HOST);
  redis = new RedisClient(engines.redisUrl, { maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined);
  const log = createLog('test', 'silent');
  nats = new Nats({ url: engines.natsUrl, name: 'link', replicas: 1, owns: ['INVALIDATIONS'], log });
  beating = setInterval(() => {
    for (const source of ['link', 'domain']) tell(beatSubject(source), 0).catch(() => undefined);
  }, BEAT_EVERY_MS);
}, 60_000);

afterEach(async () => {
  await Promise.all(pods.map((pod) => pod.stop()));
  pods = [];
});

afterAll(async () => {
  clearInterval(beating);
  await nats.stop();
  redis.disconnect();
  await mongo.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
}, 30_000);

async function startPod(changes: Partial<RedirectConfig> = {}): Promise<RunningRedirect> {
  const pod = await startRedirect({
    address: '127.0.0.1:0',
    metricsAddress: '127.0.0.1:0',
    dataDir: join(directory, `pod${pods.length}`),
    staleMaxMs: 600_000,
    l1: { entries: 1_000, ttlMs: 30_000 },
    spoolBytes: 1024 * 1024,
    trustedProxies: [],
    process: { development: false, logLevel: 'silent' },
    mongo: { url: engines.mongodbUrl, database: DATABASE, timeoutMs: 6_000, commitWaitMs: 5_000 },
    redis: { url: engines.redisUrl },
    nats: { url: engines.natsUrl, replicas: 1 },
    ...changes,
  });
  pods.push(pod);
  return pod;
}

/** A pod that learns of changes by the stream, not by polling. */
async function startFollowing(): Promise<RunningRedirect> {
  const pod = await startPod();
  const beat = 'redirect_dependency_up{dependency="beat"';
  await expect.poll(() => metric(pod, beat), { timeout: 5_000 }).toBe(1);
  return pod;
}

async function putHost(hostname: string): Promise<void> {
  const entry = { domainId: 'dom_1', tenantId: 'ten_1', groupId: GROUP, codeCase: 'SENSITIVE', rev: 1 };
  await hosts.updateOne({ _id: hostname }, { $set: { ...entry, changedAt: new Date() } }, { upsert: true });
}

/** Commits a revision of a link; its target says which. A change an hour old is one that no poll looks back to. */
async function putLink(code: string, rev: number, fields: Document = {}): Promise<void> {
  const key = { bucket: bucketOf(GROUP, code), groupId: GROUP, shortCode: code };
  const link = { tenantId: 'ten_1', redirectType: 302, risk: 'ALLOW', disabled: false, changedAt: HOUR_AGO };
  await snapshots.updateOne(
    key,
    {
      $set: { ...link, rev, version: rev, targetUrl: target(code, rev), ...fields },
      $setOnInsert: { _id: Long.fromBigInt(lastId++) },
    },
    { upsert: true, writeConcern: { w: 'majority' } },
  );
}

function target(code: string, rev: number): string {
  return `https://target.example/${code}?rev=${rev}`;
}

async function tell(subject: string, rev: number): Promise<void> {
  const event = { id: ulid(), type: 'test', tenantId: 'ten_1', objectId: 'any', rev, actor: undefined, traceId: '' };
  await nats.publish(subject, Event.encode({ ...event, occurredAt: new Date() }).finish(), event.id);
}

function tellLink(code: string, rev: number): Promise<void> {
  return tell(`inv.link.${GROUP}.${code}`, rev);
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  location: string | undefined;
}

function get(pod: RunningRedirect, code: string, host = HOST): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(`http://${pod.address}/${code}`, { headers: { host } }, (response) => {
      response.resume();
      const { statusCode: status = 0, headers } = response;
      response.on('end', () => resolve({ status, headers, location: headers.location }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Asks again and again until it is so; fails with the last answer when it isn't within `ms`. */
async function until(what: () => Promise<Answered>, expected: Partial<Answered>, ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (;;) {
    const answer = await what();
    const same = Object.entries(expected).every(([name, value]) => answer[name as keyof Answered] === value);
    if (same) return;
    if (performance.now() > end) expect(answer).toMatchObject(expected);
    await delay(20);
  }
}

async function metric(pod: RunningRedirect, line: string): Promise<number> {
  const text = await (await fetch(pod.metricsUrl)).text();
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.split(' ')
      .at(-1),
  );
}

test('a change reaches a second, warm pod by its invalidation alone', async () => {
  await putLink('warm', 1);
  const [one, two] = await Promise.all([startFollowing(), startFollowing()]);
  for (const pod of [one, two])
    await until(() => get(pod, 'warm'), { status: 302, location: target('warm', 1) }, 2_000);
  await putLink('warm', 2);
  await tellLink('warm', 2);
  for (const pod of [one, two]) await until(() => get(pod, 'warm'), { location: target('warm', 2) }, 1_000);
  await putLink('warm', 3, { disabled: true });
  await tellLink('warm', 3);
  for (const pod of [one, two]) await until(() => get(pod, 'warm'), { status: 404 }, 1_000);
});

test('a code that was asked for too early works as soon as its link is made', async () => {
  const pod = await startFollowing();
  expect((await get(pod, 'early')).status).toBe(404);
  await expect.poll(() => redis.get(snapshotKey(GROUP, 'early'))).toBe(`0 ${NO_LINK_BODY}`);
  await putLink('early', 1);
  await tellLink('early', 1);
  await until(() => get(pod, 'early'), { status: 302, location: target('early', 1) }, 1_000);
});

test('an older value in Redis never replaces a newer snapshot, it is replaced by it', async () => {
  await putLink('older', 1);
  const pod = await startFollowing();
  await until(() => get(pod, 'older'), { status: 302 }, 2_000);
  const key = snapshotKey(GROUP, 'older');
  await expect.poll(() => redis.get(key)).toMatch(/^1 /);
  await putLink('older', 2);
  await tellLink('older', 2);
  // Whoever writes Redis after a commit has failed to: it still holds revision 1.
  await until(() => get(pod, 'older'), { location: target('older', 2) }, 1_000);
  await expect.poll(() => redis.get(key)).toMatch(/^2 /);
});

test('a value in Redis that can’t be read is a miss', async () => {
  await putLink('garbled', 1);
  for (const value of ['', '1', '1 {', '1 ["a"]', 'x ["lnk",1]', '1 null']) {
    await redis.set(snapshotKey(GROUP, 'garbled'), value);
    expect((await get(await startPod(), 'garbled')).location).toBe(target('garbled', 1));
  }
});

test('a value in Redis of another tenant’s link is a miss, whatever its key (RD-3)', async () => {
  await putLink('foreign', 1);
  const foreign = {
    linkId: 'lnk_0000000000009',
    tenantId: 'ten_2',
    rev: 9,
    version: 9,
    targetUrl: 'https://evil.example/',
  };
  const body = encodeSnapshot({ ...foreign, redirectType: 302, risk: 'ALLOW', disabled: false });
  await redis.set(snapshotKey(GROUP, 'foreign'), `9 ${body}`);
  expect((await get(await startPod(), 'foreign')).location).toBe(target('foreign', 1));
});

test('many visitors of a code that nobody holds make one load', async () => {
  await putLink('crowd', 1);
  const pod = await startPod();
  const answers = await Promise.all(Array.from({ length: 100 }, () => get(pod, 'crowd')));
  expect(new Set(answers.map((answer) => answer.location))).toEqual(new Set([target('crowd', 1)]));
  expect(await metric(pod, 'cache_load_latency_count{service="redirect",source="mongodb"}')).toBe(1);
});

test('a host is served once it is registered, and no longer once it is taken away', async () => {
  await putLink('hosts', 1);
  const pod = await startPod();
  expect((await get(pod, 'hosts', 'new.example')).status).toBe(421);
  await putHost('new.example');
  await tell('inv.host.dom_2', 1);
  await until(() => get(pod, 'hosts', 'NEW.example:8080'), { status: 302 }, 1_000);
  await hosts.deleteOne({ _id: 'new.example' });
  await tell('inv.host.dom_2', 2);
  await until(() => get(pod, 'hosts', 'NEW.example:8080'), { status: 421 }, 1_000);
});

test('an empty registry is a fault of its source: the hosts that were known go on (CH-23)', async () => {
  await putLink('kept', 1);
  const pod = await startFollowing();
  expect((await get(pod, 'kept')).status).toBe(302);
  const before = await hosts.find().toArray();
  const reads = () => metric(pod, 'redirect_dependency_up{dependency="beat"');
  await hosts.deleteMany({});
  try {
    await tell('inv.host.dom_1', 2);
    // The doubt ends when the registry has been read again.
    await expect.poll(reads, { timeout: 2_000, interval: 5 }).toBe(0);
    await expect.poll(reads, { timeout: 5_000 }).toBe(1);
    expect((await get(pod, 'kept')).status).toBe(302);
  } finally {
    await hosts.insertMany(before);
  }
});

test('an invalidation that can’t be read loses no change: a poll finds it (N3)', async () => {
  await putLink('garbage', 1);
  const pod = await startFollowing();
  await until(() => get(pod, 'garbage'), { location: target('garbage', 1) }, 1_000);
  await putLink('garbage', 2, { changedAt: new Date() });
  await nats.publish(`inv.link.${GROUP}.garbage`, Buffer.from([0xff, 0xff, 0xff]), ulid());
  await until(() => get(pod, 'garbage'), { location: target('garbage', 2) }, 3_000);
});

test('a pod shows its metrics, and is ready when it knows its hosts', async () => {
  await putLink('counted', 1);
  const pod = await startFollowing();
  for (const code of ['counted', 'counted', 'nobody', 'nobody', 'not.a.code']) await get(pod, code);
  await get(pod, 'counted', 'other.example');
  await putLink('counted', 2);
  await tellLink('counted', 2);
  await expect.poll(() => metric(pod, 'cache_invalidation_delay_count')).toBeGreaterThan(0);
  const shown = await (await fetch(pod.metricsUrl)).text();
  for (const line of [
    'redirect_requests_total{status="302",service="redirect"} 2',
    'redirect_requests_total{status="421",service="redirect"} 1',
    'redirect_success_total{service="redirect"} 2',
    'redirect_latency_seconds_count{service="redirect"} 6',
    'link_not_found_total{service="redirect"} 2',
    'negative_cache_hit_total{service="redirect"} 1',
    'invalid_host_total{service="redirect"} 1',
    'invalid_code_total{service="redirect"} 1',
    'redirect_dependency_up{dependency="mongodb",service="redirect"} 1',
    'redirect_dependency_up{dependency="redis",service="redirect"} 1',
    'redirect_dependency_up{dependency="nats",service="redirect"} 1',
  ]) {
    expect(shown).toContain(line);
  }
  const ready = await fetch(pod.metricsUrl.replace('/metrics', '/readyz'));
  expect(await ready.json()).toEqual({ ready: true, dependencies: { hosts: true } });
});

test('with NATS hung a change is seen by polling, and by its invalidation again afterwards', async () => {
  await putLink('polled', 1);
  const pod = await startFollowing();
  await until(() => get(pod, 'polled'), { location: target('polled', 1) }, 2_000);
  engines.nats?.kill('SIGSTOP');
  try {
    await putLink('polled', 2, { changedAt: new Date() });
    await until(() => get(pod, 'polled'), { location: target('polled', 2) }, 2_500);
    await putHost('polled.example');
    await until(() => get(pod, 'polled', 'polled.example'), { status: 302 }, 2_500);
  } finally {
    engines.nats?.kill('SIGCONT');
  }
  await putLink('polled', 3);
  await expect.poll(() => tellLink('polled', 3).then(() => 'told'), { timeout: 5_000 }).toBe('told');
  await until(() => get(pod, 'polled'), { location: target('polled', 3) }, 2_000);
}, 15_000);

test('without Redis no answer is a 5xx, for links that are held and for others', async () => {
  await Promise.all(['held', 'unheld'].map((code) => putLink(code, 1)));
  const pod = await startFollowing();
  expect((await get(pod, 'held')).status).toBe(302);
  engines.redis?.kill('SIGSTOP');
  expect((await get(pod, 'unheld')).status).toBe(302);
  engines.redis?.kill('SIGKILL');
  expect((await get(pod, 'held')).status).toBe(302);
  expect((await get(pod, 'nobodyHere')).status).toBe(404);
  await putLink('unheld', 2);
  await tellLink('unheld', 2);
  await until(() => get(pod, 'unheld'), { location: target('unheld', 2) }, 1_000);
  await engines.redis?.restart();
});

test('a hung MongoDB costs a visitor little, and those of links that are held nothing', async () => {
  await putLink('calm', 1);
  const pod = await startPod();
  expect((await get(pod, 'calm')).status).toBe(302);
  engines.mongod?.kill('SIGSTOP');
  try {
    const began = performance.now();
    const [held, ...others] = await Promise.all(['calm', 'new1', 'new2', 'new3'].map((code) => get(pod, code)));
    expect(performance.now() - began).toBeLessThan(600);
    expect(held?.status).toBe(302);
    for (const { status, headers } of others) {
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('2');
    }
  } finally {
    engines.mongod?.kill('SIGCONT');
  }
  await until(() => get(pod, 'new1'), { status: 404 }, 5_000);
}, 15_000);

test('without MongoDB what is known goes on, also in a pod that starts then, and the rest gets the fallback fast', async () => {
  await Promise.all(['kept', 'lapsing'].map((code) => putLink(code, 1)));
  const dataDir = join(directory, 'restarted');
  const brief = { dataDir, l1: { entries: 1_000, ttlMs: 100 } };
  const before = await startPod(brief);
  for (const code of ['kept', 'lapsing']) expect((await get(before, code)).status).toBe(302);
  await expect.poll(() => redis.exists(snapshotKey(GROUP, 'kept'))).toBe(1);
  await redis.del(snapshotKey(GROUP, 'lapsing'));
  engines.mongod?.kill('SIGKILL');

  // Asked until the lives in L1 have ended: one link is in Redis still, the other only in what L1 may serve in need.
  const reads = () => metric(before, 'cache_load_latency_count{service="redirect",source="redis"}');
  const enough = (await reads()) + 4;
  while ((await reads()) < enough) {
    for (const code of ['kept', 'lapsing']) expect((await get(before, code)).location).toBe(target(code, 1));
  }

  const after = await startPod(brief);
  expect((await get(after, 'kept')).status).toBe(302);
  expect((await get(after, 'kept', 'other.example')).status).toBe(421);
  for (let i = 0; i < 6; i++) expect((await get(after, `unknown${i}`)).status).toBe(503);
  const began = performance.now();
  const { status, headers } = await get(after, 'unknown');
  expect([status, headers['retry-after']]).toEqual([503, '2']);
  expect(performance.now() - began).toBeLessThan(100);

  await engines.mongod?.restart();
  await until(() => get(after, 'unknown'), { status: 404 }, 10_000);
}, 30_000);

test('a pod that reaches neither NATS nor MongoDB serves for WAYPOST_STALE_MAX and no longer, until it reaches one', async () => {
  await putLink('blind', 1);
  const pod = await startPod({ staleMaxMs: 1_500 });
  await until(() => get(pod, 'blind'), { status: 302 }, 2_000);
  engines.nats?.kill('SIGSTOP');
  engines.mongod?.kill('SIGSTOP');
  try {
    expect((await get(pod, 'blind')).status).toBe(302);
    await until(() => get(pod, 'blind'), { status: 503 }, 3_000);
  } finally {
    engines.mongod?.kill('SIGCONT');
  }
  await until(() => get(pod, 'blind'), { status: 302 }, 5_000);
  engines.nats?.kill('SIGCONT');
}, 20_000);
