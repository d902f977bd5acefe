import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { service as HealthService } from 'grpc-health-check';
import { MongoServerSelectionError } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest';
import { startFaultProxy } from '../dev/fault-proxy.js';
import { type JudgeUrlResponse, RiskServiceService, RiskVerdict } from '../gen/proto/waypost/risk/v1/risk_service.js';
import { AppError, type ErrorKind, type Problem, unavailable } from './app-error.js';
import { splitAddress } from './http-listen.js';
import { type DerivedKey, deriveKeys } from './keys.js';
import { createLog } from './log.js';
import { createMetrics } from './metrics.js';
import { type CallFor, connectRpc, type RpcClientOptions } from './rpc-client.js';
import { type Caller, type CallerContext, CONTEXT_KEY, signContext, verifyContext } from './rpc-context.js';
import type { RpcTls } from './rpc-options.js';
import { type Handlers, type RpcServer, type RpcServerOptions, startRpcServer } from './rpc-server.js';

const [OLD = '', NEW = ''] = ['an-old-master-key-of-enough-length', 'a-new-master-key-of-enough-length'];
const KEYS = deriveKeys([OLD], 'context');
const CONTEXT: CallerContext = {
  tenantId: 'ten_1',
  actor: { id: 'key_1', kind: 'API_KEY', name: 'Käthe' },
  scopes: ['links:read', 'links:write'],
  policyVersion: 3,
  clientIp: '203.0.113.7',
  traceId: 'trace',
  source: 'CONSOLE',
};
const ALLOW: JudgeUrlResponse = {
  canonicalUrl: 'https://a.example/',
  verdict: RiskVerdict.ALLOW,
  reasons: [],
  flags: [],
};
const REQUEST = { url: 'https://a.example' };
const MIB = 1024 * 1024;
const METHOD = RiskServiceService.judgeUrl;

type JudgeUrl = Handlers<typeof RiskServiceService>['judgeUrl'];
let stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

async function serve(judgeUrl: JudgeUrl, changes: Partial<RpcServerOptions> = {}): Promise<RpcServer> {
  const server = await startRpcServer(
    RiskServiceService,
    { judgeUrl },
    {
      address: '127.0.0.1:0',
      contextKeys: KEYS,
      reflection: false,
      log: createLog('test', 'silent'),
      metrics: createMetrics('test'),
      ...changes,
    },
  );
  stops.push(() => server.stop());
  return server;
}

function dial(address: string, changes: Partial<RpcClientOptions<typeof RiskServiceService>> = {}) {
  const client = connectRpc(RiskServiceService, {
    address,
    name: 'The risk service',
    idempotent: [],
    timeouts: { readMs: 2_000, writeMs: 2_000 },
    ...changes,
  });
  stops.push(() => client.close());
  return client;
}

function caller(changes: Partial<CallFor> = {}): CallFor {
  return { token: signContext(CONTEXT, KEYS), deadline: Date.now() + 5_000, ...changes };
}

/** How a call with this handler fails. */
async function failure(judgeUrl: JudgeUrl): Promise<unknown> {
  const { address } = await serve(judgeUrl);
  return dial(address)
    .call('judgeUrl', REQUEST, caller())
    .catch((error: unknown) => error);
}

interface RawAnswer {
  error: ServiceError | null;
  body: unknown;
}

/** A call as another client would make it: no limits, no deadline unless given, any metadata. */
function rawCall(address: string, metadata: Metadata, url = REQUEST.url, deadline = Number.POSITIVE_INFINITY) {
  const unlimited = { 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 };
  const client = new Client(address, credentials.createInsecure(), unlimited);
  stops.push(() => client.close());
  return new Promise<RawAnswer>((resolve) => {
    client.makeUnaryRequest(
      METHOD.path,
      METHOD.requestSerialize,
      METHOD.responseDeserialize,
      { url },
      metadata,
      { deadline },
      (error, body) => resolve({ error, body }),
    );
  });
}

function withToken(token: Buffer | undefined): Metadata {
  const metadata = new Metadata();
  if (token) metadata.set(CONTEXT_KEY, token);
  return metadata;
}

test('a call reaches its handler with the whole context of its caller, and its answer comes back', async () => {
  const heard: Caller[] = [];
  const { address } = await serve(async (request, from) => {
    heard.push(from);
    return { ...ALLOW, canonicalUrl: `${request.url}/` };
  });
  const from = caller();
  const answer = await dial(address).call('judgeUrl', REQUEST, from);
  expect(answer).toEqual(ALLOW);
  expect(heard).toEqual([{ ...CONTEXT, token: from.token, deadline: expect.any(Number) }]);
});

const PROBLEMS: Problem[] = [
  { code: 'INVALID_URL', message: 'Not a URL: „ü“ 🙂\nline two', path: ['rows', '3', 'targetUrl'] },
  { code: 'TOO_LONG', message: 'Too long.', details: { limit: 8000, nested: { list: [1, null, 'x'], ok: true } } },
  { code: 'CODE_TAKEN', message: '', path: [] },
];
const KINDS: ErrorKind[] = [
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'RESOURCE_EXHAUSTED',
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL',
];

test.each(KINDS)('an AppError crosses whole: kind %s, all problems, paths and details', async (kind) => {
  const error = await failure(async () => {
    throw new AppError(kind, PROBLEMS);
  });
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ kind, problems: PROBLEMS });
});

test('an AppError of a whole batch crosses as far as a trailer reaches, the first problems first', async () => {
  const problems = Array.from({ length: 1_000 }, (_, i) => ({
    code: 'HOST_NOT_PUBLIC',
    message: `The host of the target has no meaning on the public internet (${i}).`,
    path: ['input', 'rows', String(i), 'targetUrl'],
  }));
  const error = await failure(async () => {
    throw new AppError('INVALID_ARGUMENT', problems);
  });
  expect(error).toMatchObject({ kind: 'INVALID_ARGUMENT' });
  const crossed = (error as AppError).problems;
  expect(crossed.length).toBeGreaterThan(100);
  expect(crossed).toEqual(problems.slice(0, crossed.length));
});

test.each<[string, Partial<Problem>]>([
  ['a message', { message: '\u4f60'.repeat(100_000) }],
  ['a path', { path: ['input', 'x'.repeat(100_000)] }],
  ['details', { details: { given: 'x'.repeat(100_000) } }],
])('an AppError with %s of 100,000 characters arrives, instead of being dropped on the way', async (_what, part) => {
  const error = await failure(async () => {
    throw new AppError('CONFLICT', { code: 'CODE_TAKEN', message: 'Taken.', ...part });
  });
  expect(error).toMatchObject({ kind: 'CONFLICT', code: 'CODE_TAKEN' });
});

test('an AppError whose details cannot be written as JSON still crosses', async () => {
  const details: Record<string, unknown> = { count: 1n };
  details.self = details;
  const error = await failure(async () => {
    throw new AppError('CONFLICT', { code: 'CODE_TAKEN', message: 'Taken.', details });
  });
  expect(error).toMatchObject({ kind: 'CONFLICT', code: 'CODE_TAKEN', message: 'Taken.' });
});

test.each<[string, unknown]>([
  ['an Error', new Error('mongodb://user:hunter2@one.example failed')],
  ['a thrown text', 'hunter2'],
  ['nothing', undefined],
  ['an error that looks like one of ours', { kind: 'CONFLICT', problems: [{ code: 'X', message: 'hunter2' }] }],
])('what is not an AppError shows nothing but INTERNAL: %s', async (_what, thrown) => {
  const { address } = await serve(async () => {
    throw thrown;
  });
  const error = await dial(address)
    .call('judgeUrl', REQUEST, caller())
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ kind: 'INTERNAL', problems: [{ code: 'INTERNAL', message: 'Internal error.' }] });
  const raw = await rawCall(address, withToken(caller().token));
  const shown = JSON.stringify([raw.error?.details, raw.error?.message, raw.error?.metadata.toJSON()]);
  expect(shown).not.toContain('hunter2');
  expect(shown).not.toContain('.ts:');
});

test('a handler that answers with what is not an answer is INTERNAL', async () => {
  const error = await failure(async () => undefined as never);
  expect(error).toMatchObject({ kind: 'INTERNAL' });
});

test('a handler that throws before its first await fails its call alone', async () => {
  const error = await failure(() => {
    throw new Error('at once');
  });
  expect(error).toMatchObject({ kind: 'INTERNAL' });
});

test('a database that is away is UNAVAILABLE to the caller, without a word of the driver', async () => {
  const error = await failure(async () => {
    throw new MongoServerSelectionError('connect ECONNREFUSED 10.0.0.1:27017', {} as never);
  });
  expect(error).toMatchObject({ kind: 'UNAVAILABLE', message: expect.not.stringContaining('ECONNREFUSED') });
});

test('a peer that answers garbage where the problems belong is an error of the call, not the end of the process', async () => {
  const server = new Server();
  let trailer = Buffer.alloc(0);
  server.addService(RiskServiceService, {
    judgeUrl: (_call: unknown, reply: sendUnaryData<unknown>) => {
      const metadata = new Metadata();
      metadata.set('grpc-status-details-bin', trailer);
      reply({ code: status.NOT_FOUND, details: 'text of a library', metadata });
    },
  });
  const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure());
  stops.push(() => server.forceShutdown());
  const client = dial(`127.0.0.1:${port}`);
  for (trailer of [Buffer.from([0xff, 0xff, 0xff]), Buffer.from('garbage'), Buffer.alloc(0)]) {
    const error = await client.call('judgeUrl', REQUEST, caller()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).message).not.toContain('library');
  }
});

const tokens: Record<string, () => Buffer | undefined> = {
  absent: () => undefined,
  empty: () => Buffer.alloc(0),
  garbage: () => Buffer.from('garbage that is no protobuf'),
  'cut short': () => signContext(CONTEXT, KEYS).subarray(0, 20),
  stale: () => signContext(CONTEXT, KEYS, Date.now() - 31_000),
  'of another key': () => signContext(CONTEXT, deriveKeys([NEW], 'context')),
  'of another key under the name of ours': () =>
    signContext(CONTEXT, [{ id: (KEYS[0] as DerivedKey).id, secret: Buffer.alloc(32, 1) }]),
  forged: () => {
    const token = signContext(CONTEXT, KEYS);
    token[token.indexOf('ten_1') + 4] = '2'.charCodeAt(0);
    return token;
  },
};

test.each(Object.keys(tokens))(
  'a call with a context that is %s is UNAUTHENTICATED and reaches no handler',
  async (name) => {
    let reached = false;
    const { address } = await serve(async () => {
      reached = true;
      return ALLOW;
    });
    const { error } = await rawCall(address, withToken(tokens[name]?.()));
    expect(error?.code).toBe(status.UNAUTHENTICATED);
    expect(reached).toBe(false);
  },
);

test('a context of another purpose or by header is no context (RP-5)', async () => {
  const { address } = await serve(async () => ALLOW);
  const metadata = new Metadata();
  metadata.set('waypost-tenant', 'ten_1');
  metadata.set('x-tenant-id', 'ten_1');
  metadata.set('waypost-context', signContext(CONTEXT, KEYS).toString('base64'));
  expect((await rawCall(address, metadata)).error?.code).toBe(status.UNAUTHENTICATED);
});

test('a header list beyond all measure is refused and hurts nobody else (RP-8)', async () => {
  const { address } = await serve(async () => ALLOW);
  const { error } = await rawCall(address, withToken(Buffer.alloc(200_000)));
  expect(error).toBeTruthy();
  expect(await dial(address).call('judgeUrl', REQUEST, caller())).toEqual(ALLOW);
});

test('while keys rotate both the new and the old one verify, and the new one signs', async () => {
  const rotating = deriveKeys([NEW, OLD], 'context');
  const { address } = await serve(async () => ALLOW, { contextKeys: rotating });
  const client = dial(address);
  for (const keys of [deriveKeys([OLD], 'context'), deriveKeys([NEW], 'context'), rotating]) {
    expect(await client.call('judgeUrl', REQUEST, caller({ token: signContext(CONTEXT, keys) }))).toEqual(ALLOW);
  }
  expect(verifyContext(signContext(CONTEXT, rotating), deriveKeys([NEW], 'context'))).toEqual(CONTEXT);
  expect(() => verifyContext(signContext(CONTEXT, rotating), KEYS)).toThrow('signature');
});

test('a context lives 30 s from when it was signed', () => {
  const token = signContext(CONTEXT, KEYS, 1_000);
  expect(verifyContext(token, KEYS, 31_000)).toEqual(CONTEXT);
  expect(() => verifyContext(token, KEYS, 31_001)).toThrow('older');
});

/** Never answers; counts its calls. */
function stalled() {
  const calls: Caller[] = [];
  const judgeUrl: JudgeUrl = (_request, from) => {
    calls.push(from);
    return new Promise(() => undefined);
  };
  return { calls, judgeUrl };
}

async function timed(call: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const began = performance.now();
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return { error, ms: performance.now() - began };
}

test('a stalled method ends at the deadline of the client', async () => {
  const { judgeUrl, calls } = stalled();
  const { address } = await serve(judgeUrl, { drainMs: 100 });
  const client = dial(address, { idempotent: ['judgeUrl'], timeouts: { readMs: 200, writeMs: 5_000 } });
  const { error, ms } = await timed(client.call('judgeUrl', REQUEST, caller()));
  expect(error).toMatchObject({ kind: 'DEADLINE_EXCEEDED', message: 'The risk service did not answer in time.' });
  expect(ms).toBeGreaterThan(190);
  expect(ms).toBeLessThan(1_000);
  expect(calls).toHaveLength(1);
});

test("the caller's deadline wins over the client's own when it is nearer, and is passed on", async () => {
  const { judgeUrl, calls } = stalled();
  const { address } = await serve(judgeUrl, { drainMs: 100 });
  const client = dial(address, { timeouts: { readMs: 5_000, writeMs: 5_000 } });
  const deadline = Date.now() + 200;
  const { error, ms } = await timed(client.call('judgeUrl', REQUEST, caller({ deadline })));
  expect(error).toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
  expect(ms).toBeLessThan(1_000);
  expect(Math.abs((calls[0]?.deadline ?? 0) - deadline)).toBeLessThan(150);
});

test("a deadline that has passed already costs no more than the call's way out", async () => {
  const { address } = await serve(async () => ALLOW);
  const client = dial(address, { idempotent: ['judgeUrl'] });
  const { error, ms } = await timed(client.call('judgeUrl', REQUEST, caller({ deadline: Date.now() - 1 })));
  expect(error).toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
  expect(ms).toBeLessThan(500);
});

test('a call that came without a deadline gets one from the server (RP-3)', async () => {
  const { judgeUrl, calls } = stalled();
  const { address } = await serve(judgeUrl, { defaultDeadlineMs: 200, drainMs: 100 });
  const { error } = await rawCall(address, withToken(caller().token));
  expect(error?.code).toBe(status.DEADLINE_EXCEEDED);
  expect(calls[0]?.deadline).toBeLessThan(Date.now() + 200);
});

test('a deadline in the next century is no deadline that has passed', async () => {
  const { address } = await serve(async () => ALLOW);
  const { error } = await rawCall(address, withToken(caller().token), REQUEST.url, Date.now() + 100 * 365 * 86_400_000);
  expect(error).toBeNull();
});

test('bytes that are no message fail their call alone, in every method that is served', async () => {
  const { address } = await serve(async () => ALLOW, { reflection: true });
  const client = new Client(address, credentials.createInsecure());
  stops.push(() => client.close());
  const [send, receive] = [(bytes: Buffer) => bytes, (bytes: Buffer) => bytes];
  const garbage = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const options = { deadline: Date.now() + 2_000 };
  for (const path of [METHOD.path, '/grpc.health.v1.Health/Check', '/waypost.risk.v1.RiskService/Unknown']) {
    const failed = new Promise((resolve) =>
      client.makeUnaryRequest(path, send, receive, garbage, withToken(caller().token), options, resolve),
    );
    expect(await failed).toBeTruthy();
  }
  for (const path of ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', '/grpc.health.v1.Health/Watch']) {
    const stream = client.makeBidiStreamRequest(path, send, receive, options);
    const failed = once(stream, 'error');
    stream.write(garbage);
    await failed;
  }
  expect(await dial(address).call('judgeUrl', REQUEST, caller())).toEqual(ALLOW);
});

test('a server that is not there is UNAVAILABLE at once (RP-4)', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  for (const idempotent of [[], ['judgeUrl']] as const) {
    const client = dial(`127.0.0.1:${port}`, { idempotent });
    const { error, ms } = await timed(client.call('judgeUrl', REQUEST, caller()));
    expect(error).toMatchObject({ kind: 'UNAVAILABLE', message: "The risk service can't be reached." });
    expect(ms).toBeLessThan(500);
  }
});

test('a server that comes back is used again within a second', async () => {
  const first = await serve(async () => ALLOW);
  const client = dial(first.address);
  await client.call('judgeUrl', REQUEST, caller());
  await first.stop();
  await expect(client.call('judgeUrl', REQUEST, caller())).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  await serve(async () => ALLOW, { address: first.address });
  const call = () => client.call('judgeUrl', REQUEST, caller()).catch(() => undefined);
  await expect.poll(call, { timeout: 2_000, interval: 20 }).toEqual(ALLOW);
});

/** A handler that fails so often before it succeeds. */
function failing(times: number, error: AppError) {
  let calls = 0;
  const judgeUrl: JudgeUrl = async () => {
    if (calls++ < times) throw error;
    return ALLOW;
  };
  return { judgeUrl, calls: () => calls };
}

test('what a service itself calls UNAVAILABLE is not repeated: the layer next to the fault has done so', async () => {
  const once = failing(1, unavailable('The database'));
  const client = dial((await serve(once.judgeUrl)).address, { idempotent: ['judgeUrl'] });
  await expect(client.call('judgeUrl', REQUEST, caller())).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  expect(once.calls()).toBe(1);
});

test('a call that is not idempotent is never repeated', async () => {
  const once = failing(1, unavailable('The database'));
  const client = dial((await serve(once.judgeUrl)).address);
  await expect(client.call('judgeUrl', REQUEST, caller())).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  expect(once.calls()).toBe(1);
});

test.each(KINDS.filter((kind) => kind !== 'UNAVAILABLE'))('%s is not repeated, idempotent or not', async (kind) => {
  const once = failing(1, new AppError(kind, { code: 'X', message: 'x' }));
  const client = dial((await serve(once.judgeUrl)).address, { idempotent: ['judgeUrl'] });
  await expect(client.call('judgeUrl', REQUEST, caller())).rejects.toMatchObject({ kind });
  expect(once.calls()).toBe(1);
});

test('a connection that is cut under a call is UNAVAILABLE; only an idempotent call is made again', async () => {
  const { judgeUrl, calls } = stalled();
  const { address } = await serve(judgeUrl, { drainMs: 100 });
  const proxy = await startFaultProxy(splitAddress(address).port);
  stops.push(() => proxy.stop());
  for (const [idempotent, made] of [
    [[], 1],
    [['judgeUrl'], 3],
  ] as const) {
    const client = dial(`127.0.0.1:${proxy.port}`, { idempotent, timeouts: { readMs: 1_000, writeMs: 1_000 } });
    const outcome = timed(client.call('judgeUrl', REQUEST, caller()));
    const before = calls.length;
    await expect.poll(() => calls.length, { interval: 5 }).toBe(before + 1);
    proxy.setFault({ kind: 'reset' });
    proxy.setFault({ kind: 'none' });
    const { error } = await outcome;
    expect(error).toMatchObject({ kind: idempotent.length > 0 ? 'DEADLINE_EXCEEDED' : 'UNAVAILABLE' });
    expect(calls).toHaveLength(made);
  }
});

test('a connection that swallows everything ends each call at its deadline', async () => {
  const { address } = await serve(async () => ALLOW);
  const proxy = await startFaultProxy(splitAddress(address).port);
  stops.push(() => proxy.stop());
  const client = dial(`127.0.0.1:${proxy.port}`, { timeouts: { readMs: 300, writeMs: 300 } });
  await client.call('judgeUrl', REQUEST, caller());
  proxy.setFault({ kind: 'drop' });
  const { error, ms } = await timed(client.call('judgeUrl', REQUEST, caller()));
  expect(error).toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
  expect(ms).toBeLessThan(1_000);
});

test('our client sends no message above 1 MiB (RP-2), and the channel stays usable', async () => {
  let reached = 0;
  const { address } = await serve(async () => {
    reached++;
    return ALLOW;
  });
  const client = dial(address);
  const { error, ms } = await timed(client.call('judgeUrl', { url: 'x'.repeat(MIB + 1) }, caller()));
  expect(error).toMatchObject({ kind: 'INTERNAL' });
  expect(ms).toBeLessThan(1_000);
  expect(reached).toBe(0);
  expect(await client.call('judgeUrl', { url: 'x'.repeat(MIB - 100) }, caller())).toEqual(ALLOW);
});

test('our server takes no message above 1 MiB, whoever sends it', async () => {
  let reached = 0;
  const { address } = await serve(async () => {
    reached++;
    return ALLOW;
  });
  const { error } = await rawCall(address, withToken(caller().token), 'x'.repeat(5 * MIB), Date.now() + 5_000);
  expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
  expect(reached).toBe(0);
});

test('an answer above 1 MiB is a failure of ours at once, to our client and to others', async () => {
  const { address } = await serve(async () => ({ ...ALLOW, canonicalUrl: 'x'.repeat(MIB + 1) }));
  const { error, ms } = await timed(dial(address).call('judgeUrl', REQUEST, caller()));
  expect(error).toMatchObject({ kind: 'INTERNAL' });
  expect(ms).toBeLessThan(1_000);
  const raw = await rawCall(address, withToken(caller().token), REQUEST.url, Date.now() + 5_000);
  expect(raw.error?.code).toBe(status.RESOURCE_EXHAUSTED);
});

test('health answers without a context; reflection is off unless it is asked for (RP-6)', async () => {
  const { address } = await serve(async () => ALLOW);
  const client = new Client(address, credentials.createInsecure());
  stops.push(() => client.close());
  const { Check } = HealthService as unknown as typeof RiskServiceService & { Check: typeof METHOD };
  const health = await new Promise((resolve, reject) =>
    client.makeUnaryRequest(
      Check.path,
      Check.requestSerialize,
      Check.responseDeserialize,
      { service: '' } as never,
      { deadline: Date.now() + 2_000 },
      (error, answer) => (error ? reject(error) : resolve(answer)),
    ),
  );
  expect(health).toMatchObject({ status: 'SERVING' });
  await expect(buf(address, '--list-methods')).rejects.toThrow();
});

/** The outside client: `buf curl` learns everything by reflection. */
async function buf(address: string, ...args: string[]): Promise<string> {
  const binary = new URL('../node_modules/.bin/buf', import.meta.url).pathname;
  const url = `http://${address}${args.length > 1 ? METHOD.path : ''}`;
  const { stdout } = await promisify(execFile)(
    binary,
    ['curl', '--protocol', 'grpc', '--http2-prior-knowledge', ...args, url],
    { timeout: 20_000 },
  );
  return stdout;
}

test('reflection lists every service, and describes messages with what they import', async () => {
  const { address } = await serve(async () => ALLOW, { reflection: true });
  const methods = await buf(address, '--list-methods');
  for (const service of ['link', 'domain', 'tenant', 'risk']) {
    expect(methods).toMatch(new RegExp(`waypost\\.${service}\\.v1\\.\\w+Service/`));
  }
  const header = `${CONTEXT_KEY}: ${signContext(CONTEXT, KEYS).toString('base64')}`;
  const answer = await buf(address, '-H', header, '-d', JSON.stringify(REQUEST));
  expect(JSON.parse(answer)).toEqual({ canonicalUrl: ALLOW.canonicalUrl, verdict: 'RISK_VERDICT_ALLOW' });
});

test('a stop lets calls under way end, and takes no new ones', async () => {
  let answer: ((response: JudgeUrlResponse) => void) | undefined;
  const server = await serve(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const underWay = dial(server.address).call('judgeUrl', REQUEST, caller());
  await expect.poll(() => answer, { interval: 5 }).toBeDefined();
  const stopped = server.stop();
  await expect(dial(server.address).call('judgeUrl', REQUEST, caller())).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  answer?.(ALLOW);
  expect(await underWay).toEqual(ALLOW);
  const began = performance.now();
  await stopped;
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('a stop waits for a stalled call no longer than it must', async () => {
  const { judgeUrl, calls } = stalled();
  const server = await serve(judgeUrl, { drainMs: 200 });
  const underWay = dial(server.address)
    .call('judgeUrl', REQUEST, caller())
    .catch((error: unknown) => error);
  await expect.poll(() => calls.length, { interval: 5 }).toBe(1);
  const began = performance.now();
  await server.stop();
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await underWay).toBeInstanceOf(AppError);
});

const openssl = /^OpenSSL [3-9]/.test(String(spawnSync('openssl', ['version']).stdout));

it.skipIf(!openssl)('with mutual TLS only a peer of the same CA gets through (T-9; needs OpenSSL 3)', async () => {
  const [ours, others] = await Promise.all([makeAuthority('ours'), makeAuthority('others')]);
  const server = issue(ours, 'server');
  const { address } = await serve(async () => ALLOW, { tls: server });
  const call = (tls: RpcTls | undefined) =>
    dial(address, { tls, timeouts: { readMs: 2_000, writeMs: 2_000 } }).call('judgeUrl', REQUEST, caller());

  expect(await call(issue(ours, 'client'))).toEqual(ALLOW);
  await expect(call(undefined)).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  // A certificate of another CA, whichever side meets it first.
  await expect(call({ ...issue(others, 'client'), ca: server.ca })).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  await expect(call(issue(others, 'client'))).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  // Encrypted, but without a certificate.
  const anonymous = new Client(address, credentials.createSsl(server.ca));
  stops.push(() => anonymous.close());
  const refused = new Promise<ServiceError | null>((resolve) =>
    anonymous.makeUnaryRequest(
      METHOD.path,
      METHOD.requestSerialize,
      METHOD.responseDeserialize,
      REQUEST,
      withToken(caller().token),
      { deadline: Date.now() + 2_000 },
      (error) => resolve(error),
    ),
  );
  expect((await refused)?.code).toBe(status.UNAVAILABLE);
});

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-rpc-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

function run(...args: string[]): void {
  execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

/** A CA of its own; its name is that of its files. */
async function makeAuthority(name: string): Promise<string> {
  run('req', '-x509', ...EC, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`);
  return name;
}

function issue(ca: string, name: string): RpcTls {
  const [key, cert] = [`${ca}-${name}.key`, `${ca}-${name}.crt`];
  const signed = ['-CA', `${ca}.crt`, '-CAkey', `${ca}.key`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  run('req', '-x509', ...EC, ...signed, '-subj', `/CN=${name}`, '-keyout', key, '-out', cert);
  const read = (file: string) => readFileSync(join(directory, file));
  return { cert: read(cert), key: read(key), ca: read(`${ca}.crt`) };
}
