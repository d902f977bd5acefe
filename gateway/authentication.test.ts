import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActorKind } from '../gen/proto/waypost/context/v1/context.js';
import type { AuthenticateRequest } from '../gen/proto/waypost/tenant/v1/tenant_service.js';
import { AppError } from '../runtime/app-error.js';
import { deriveKeys } from '../runtime/keys.js';
import { verifyContext } from '../runtime/rpc-context.js';
import type { Arrival } from './arrival.js';
import { Authenticator } from './authentication.js';
import { CREDENTIALS, type Rig, startRig, TENANT_ID } from './rig.js';
import type { Services } from './services.js';

const VIEWER = '{viewer {scopes}}';
const KEYS = deriveKeys(['a-master-key-for-tests-of-no-other-use'], 'context');
const ARRIVAL = { clientIp: '1.1.1.1', traceId: 'f'.repeat(32), deadline: Date.now() + 60_000 } as Arrival;

describe('over HTTP', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it('the tenant service gets the SHA-256 of the credential, never the credential, in a context of no tenant', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    await rig.send(VIEWER, { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
    const [call] = rig.callsOf('authenticate');
    expect(call?.request).toEqual({ credentialSha256: createHash('sha256').update(CREDENTIALS.OWNER).digest() });
    expect(call?.caller).toMatchObject({
      tenantId: '',
      actor: { id: 'gateway', kind: 'SYSTEM' },
      scopes: [],
      traceId: trace,
      clientIp: '127.0.0.1',
    });
  });

  it('the services get who asks, from where, in which trace, and a deadline of at most 10 s', async () => {
    const trace = '5bf92f3577b34da6a3ce929d0e0e4736';
    // RP-5: what the outside world says of itself is not passed on.
    const headers = {
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      'x-tenant-id': 'ten_other',
      'x-forwarded-for': '6.6.6.6',
    };
    await rig.send('{tenant {id}}', { headers });
    const caller = rig.callsOf('getTenant').at(-1)?.caller;
    expect(caller).toMatchObject({
      tenantId: TENANT_ID,
      actor: { id: 'key_owner', kind: 'API_KEY', name: 'OWNER' },
      scopes: ['OWNER'],
      policyVersion: 7,
      clientIp: '127.0.0.1',
      traceId: trace,
      source: 'API',
    });
    expect((caller?.deadline ?? 0) - Date.now()).toBeLessThanOrEqual(10_000);
  });

  const header: [string, string][] = [
    ['a key that nobody has', 'Bearer no-key-at-all'],
    ['a number', 'Bearer 0'],
    ['true', 'Bearer true'],
    ['null', 'Bearer null'],
    ['an object', 'Bearer {"$ne":null}'],
    ['an array', `Bearer ["${CREDENTIALS.OWNER}"]`],
    ['an empty key', 'Bearer '],
    ['no key', 'Bearer'],
    ['spaces', 'Bearer      '],
    ['no scheme', CREDENTIALS.OWNER],
    ['another scheme', `Basic ${btoa(`x:${CREDENTIALS.OWNER}`)}`],
    ['a list', `Bearer x, Bearer ${CREDENTIALS.OWNER}`],
    ['a key and more', `Bearer ${CREDENTIALS.OWNER} x`],
    ['another case', `Bearer ${CREDENTIALS.OWNER.toUpperCase()}`],
    ['the hash of a key', `Bearer ${createHash('sha256').update(CREDENTIALS.OWNER).digest('hex')}`],
    ['15 KB', `Bearer ${'a'.repeat(15_000)}`],
    ['bytes above ASCII', 'Bearer \xff\xfe'],
  ];

  it('every credential that is none has the same answer as no credential (V4)', async () => {
    const { status, text } = await rig.send(VIEWER, { as: null });
    expect(status).toBe(401);
    for (const [name, authorization] of header) {
      const answer = await rig.send(VIEWER, { as: null, headers: { authorization } });
      expect({ name, status: answer.status, text: answer.text }).toEqual({ name, status, text });
    }
  });

  it('two Authorization headers are none, whichever is valid', async () => {
    const valid = `authorization: Bearer ${CREDENTIALS.OWNER}\r\n`;
    for (const headers of [`${valid}authorization: x\r\n`, `authorization: x\r\n${valid}`, valid + valid]) {
      expect(await rawPost(rig.gateway.url, headers)).toMatch(/^HTTP\/1.1 401 /);
    }
    expect(await rawPost(rig.gateway.url, valid)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('the scheme is compared without case', async () => {
    const headers = { authorization: `bEARER ${CREDENTIALS.OWNER}` };
    expect(await rig.send(VIEWER, { as: null, headers })).toMatchObject({ status: 200 });
  });
});

describe('when the tenant service can not tell', () => {
  it('the whole request is UNAVAILABLE with 503, and 200 for what needs no credential', async () => {
    const rig = await startRig();
    await rig.stopService('tenant');
    const answer = await rig.send(VIEWER);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer).toMatchObject({
      status: 503,
      body: { errors: [{ extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 2 } }] },
    });
    expect(await rig.send('{__typename}', { as: null })).toMatchObject({ status: 200 });
    await rig.stop();
  });

  it('a fault of it is INTERNAL with 500 and an id, no more', async () => {
    const authenticate = async () => {
      throw new Error('mongo://user:secret@db failed');
    };
    const rig = await startRig({ tenant: { authenticate } });
    const answer = await rig.send(VIEWER);
    expect(answer).toMatchObject({
      status: 500,
      body: { errors: [{ message: 'Internal error.', extensions: { code: 'INTERNAL', errorId: expect.any(String) } }] },
    });
    expect(answer.text).not.toMatch(/secret|mongo|stack/);
    await rig.stop();
  });
});

describe('answers are remembered for a second', () => {
  let now = 1;
  const call = vi.fn();
  const tenant = { call, close: () => undefined } as unknown as Services['tenant'];
  const found = {
    tenantId: 'ten_1',
    actor: { id: 'key_1', kind: ActorKind.API_KEY, name: '' },
    scopes: ['OWNER'],
    policyVersion: 1,
  };
  const refused = new AppError('UNAUTHENTICATED', { code: 'UNAUTHENTICATED', message: 'No.' });

  beforeEach(() => {
    call.mockReset();
    now = 1;
  });

  it('requests that come together ask once', async () => {
    call.mockResolvedValue(found);
    const authenticator = new Authenticator(tenant, KEYS, () => now);
    const all = await Promise.all(Array.from({ length: 50 }, () => authenticator.identify(['Bearer x'], ARRIVAL)));
    expect(call).toHaveBeenCalledTimes(1);
    expect(all.every((identity) => identity?.actor.kind === 'API_KEY')).toBe(true);
  });

  it('a revoked key is asked for again after a second, counted from the asking', async () => {
    call.mockResolvedValueOnce(found).mockRejectedValue(refused);
    const authenticator = new Authenticator(tenant, KEYS, () => now);
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeDefined();
    now += 999;
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeDefined();
    now += 2;
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeUndefined();
  });

  it('a refusal is remembered no longer, so a new key works within a second', async () => {
    call.mockRejectedValueOnce(refused).mockResolvedValue(found);
    const authenticator = new Authenticator(tenant, KEYS, () => now);
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeUndefined();
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeUndefined();
    now += 1_001;
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeDefined();
  });

  it('a failure to ask is not remembered', async () => {
    call
      .mockRejectedValueOnce(new AppError('UNAVAILABLE', { code: 'UNAVAILABLE', message: '' }))
      .mockResolvedValue(found);
    const authenticator = new Authenticator(tenant, KEYS, () => now);
    await expect(authenticator.identify(['Bearer x'], ARRIVAL)).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    expect(await authenticator.identify(['Bearer x'], ARRIVAL)).toBeDefined();
  });

  it('credentials are told apart', async () => {
    call.mockImplementation(async (_method, { credentialSha256 }) => ({
      ...found,
      tenantId: credentialSha256.toString('hex'),
    }));
    const authenticator = new Authenticator(tenant, KEYS, () => now);
    const a = await authenticator.identify(['Bearer a'], ARRIVAL);
    const b = await authenticator.identify(['Bearer b'], ARRIVAL);
    expect(a?.tenantId).not.toBe(b?.tenantId);
  });

  it('a key of any text is hashed as the bytes that were sent', async () => {
    call.mockResolvedValue(found);
    const key = 'ключ от всех дверей, zwölf Stück';
    const authenticator = new Authenticator(tenant, KEYS, () => now);
    await authenticator.identify([`Bearer ${Buffer.from(key).toString('latin1')}`], ARRIVAL);
    const [, request, { token }] = call.mock.calls[0] as [string, AuthenticateRequest, { token: Buffer }];
    expect(request.credentialSha256).toEqual(createHash('sha256').update(key).digest());
    expect(verifyContext(token, KEYS)).toMatchObject({ tenantId: '', actor: { kind: 'SYSTEM' } });
  });
});

/** fetch joins headers of one name. */
function rawPost(url: string, headers: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ query: VIEWER });
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n`;
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname);
    socket.write(`${head}${headers}content-length: ${body.length}\r\n\r\n${body}`);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}
