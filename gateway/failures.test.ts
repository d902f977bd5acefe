import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../runtime/app-error.js';
import { createMetrics } from '../runtime/metrics.js';
import { startApollo } from './apollo.js';
import type { GatewayContext } from './context.js';
import { Failures } from './failures.js';
import { Observation } from './observation.js';
import { link, linkId, type Rig, startRig } from './rig.js';

const SECRET = 'mongo://user:secret@db failed';

let failure: () => unknown = () => undefined;
let rig: Rig;
beforeAll(async () => {
  const fail = async (): Promise<never> => {
    throw failure();
  };
  rig = await startRig({
    link: {
      getLinks: fail,
      createLink: fail,
      listLinks: async () => ({ edges: [{ cursor: 'c', link: link(1) }], hasMore: false }),
    },
    domain: { getGroups: fail },
  });
});
afterAll(() => rig.stop());

const QUERY = `{link(id: "${linkId(1)}") {id}}`;
const MUTATION =
  'mutation{createLink(input: {targetUrl: "x"}) {link {id} problems {code message path details} replayed}}';

function appError(kind: AppError['kind'], code: string, rest: object = {}): AppError {
  return new AppError(kind, { code, message: `About ${code}.`, ...rest });
}

describe('a failure of ours shows an id and nothing else (G11)', () => {
  it.each([
    ['what nobody foresaw', () => new Error(SECRET)],
    ['an AppError INTERNAL', () => appError('INTERNAL', 'INTERNAL', { message: SECRET })],
    [
      'a service that does not take our signature',
      () => appError('UNAUTHENTICATED', 'UNAUTHENTICATED', { message: SECRET }),
    ],
  ])('%s', async (_name, make) => {
    failure = make;
    for (const document of [QUERY, MUTATION]) {
      const answer = await rig.send(document);
      expect(answer.status).toBe(200);
      expect(answer.body.errors).toEqual([
        {
          message: 'Internal error.',
          locations: expect.any(Array),
          path: expect.any(Array),
          extensions: { code: 'INTERNAL', errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        },
      ]);
      expect(answer.text).not.toMatch(/secret|stack|\.ts|signature/);
    }
  });

  it('the answer of a service that makes no sense is one', async () => {
    const odd = await startRig({
      link: { getLinks: async () => ({ links: [link(1, { createdAt: undefined, shortCode: undefined as never })] }) },
    });
    const answer = await odd.send(`{link(id: "${linkId(1)}") {createdAt}}`);
    expect(answer.body).toMatchObject({
      data: { link: null },
      errors: [{ message: 'Internal error.', extensions: { code: 'INTERNAL' } }],
    });
    await odd.stop();
  });

  it('the log has the cause under the id, with the trace of the request', async () => {
    const lines: string[] = [];
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      lines.push(chunk.toString());
      done();
    };
    const log = pino(new Writable({ write }));
    const failures = new Failures(log);
    const observation = new Observation(log, createMetrics('test'));
    const apollo = await startApollo({ introspection: false, failures, observation, log });
    const contextValue = {
      identity: { tenantId: 't', scopes: ['OWNER'], actor: { id: 'a', kind: 'API_KEY', name: '' }, policyVersion: 1 },
      arrival: { traceId: 'the-trace', codes: [] },
      loaders: { tenant: () => Promise.reject(new Error(SECRET)) },
    } as unknown as GatewayContext;
    const { body } = await apollo.executeOperation({ query: '{tenant {id}}' }, { contextValue });
    const errorId = body.kind === 'single' && body.singleResult.errors?.[0]?.extensions?.errorId;
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        errorId,
        traceId: 'the-trace',
        path: 'tenant',
        err: expect.objectContaining({ message: SECRET, stack: expect.stringContaining('failures.test.ts') }),
      }),
    ]);
    await apollo.stop();
  });
});

describe('a failure that the caller can not mend is thrown with its code', () => {
  it.each([
    ['UNAVAILABLE', 'CODES_EXHAUSTED', { retryAfterSeconds: 2 }],
    ['DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED', {}],
    ['FORBIDDEN', 'FORBIDDEN', {}],
  ] as const)('%s', async (kind, code, more) => {
    failure = () => appError(kind, code);
    for (const [document, field] of [
      [QUERY, 'link'],
      [MUTATION, 'createLink'],
    ] as const) {
      const answer = await rig.send(document);
      expect(answer).toMatchObject({ status: 200, body: { data: { [field]: null } } });
      expect(answer.body.errors).toMatchObject([{ message: `About ${code}.`, path: [field] }]);
      expect(answer.body.errors[0].extensions).toEqual({ code, ...more });
    }
  });

  it('a failed field of another service leaves the rest of the answer', async () => {
    failure = () => appError('UNAVAILABLE', 'UNAVAILABLE');
    expect((await rig.send('{links {nodes {shortCode domainGroup {name}}}}')).body).toMatchObject({
      data: { links: { nodes: [{ shortCode: 'code1', domainGroup: null }] } },
      errors: [{ path: ['links', 'nodes', 0, 'domainGroup'], extensions: { code: 'UNAVAILABLE' } }],
    });
  });

  it('the failure of one mutation does not hide the answer of another', async () => {
    failure = () => appError('UNAVAILABLE', 'UNAVAILABLE');
    const two =
      'mutation{createLink(input: {targetUrl: "x"}) {replayed} again: createLink(input: {targetUrl: "x", metadata: 1}) {problems {code}}}';
    expect((await rig.send(two)).body).toMatchObject({
      data: { createLink: null, again: { problems: [{ code: 'INVALID_ARGUMENT' }] } },
      errors: [{ path: ['createLink'] }],
    });
  });
});

describe('a failure that the caller can mend', () => {
  it.each(['INVALID_ARGUMENT', 'NOT_FOUND', 'CONFLICT', 'RESOURCE_EXHAUSTED'] as const)(
    '%s is a problem of a mutation, its path beginning at the argument',
    async (kind) => {
      failure = () =>
        new AppError(kind, [
          { code: 'A', message: 'First.', path: ['tags', '3'], details: { limit: 5 } },
          { code: 'B', message: 'Second.' },
        ]);
      expect((await rig.send(MUTATION)).body).toEqual({
        data: {
          createLink: {
            link: null,
            problems: [
              { code: 'A', message: 'First.', path: ['input', 'tags', '3'], details: { limit: 5 } },
              { code: 'B', message: 'Second.', path: null, details: null },
            ],
            replayed: false,
          },
        },
      });
    },
  );

  it('is thrown by a query, with the path of the argument', async () => {
    failure = () => appError('INVALID_ARGUMENT', 'INVALID_ARGUMENT', { path: ['id'], details: { a: 1 } });
    expect((await rig.send(QUERY)).body).toMatchObject({
      data: { link: null },
      errors: [{ extensions: { code: 'INVALID_ARGUMENT', argumentPath: ['id'], details: { a: 1 } } }],
    });
  });

  it('crosses from the service whatever its size', async () => {
    const many = (n: number, length: number) => () =>
      new AppError(
        'INVALID_ARGUMENT',
        Array.from({ length: n }, (_, i) => ({ code: 'A', message: '😀'.repeat(length), path: ['tags', String(i)] })),
      );
    for (const [n, length] of [
      [1, 100_000],
      [100, 100],
      [1_000, 1_000],
    ] as const) {
      failure = many(n, length);
      const { problems } = (await rig.send(MUTATION)).body.data.createLink;
      expect(problems[0]).toMatchObject({ code: 'A', path: ['input', 'tags', '0'] });
      expect(problems[0].message).toMatch(/^(😀)+…?$/u);
    }
  });
});

it('a service that is gone is UNAVAILABLE at once', async () => {
  const alone = await startRig();
  await alone.stopService('link');
  const answer = await alone.send(MUTATION);
  expect(answer.body).toMatchObject({
    data: { createLink: null },
    errors: [{ message: "The link service can't be reached.", extensions: { code: 'UNAVAILABLE' } }],
  });
  await alone.stop();
});

it('a service that hangs is DEADLINE_EXCEEDED when the time of its call is over (RP-3)', async () => {
  const hanging = await startRig({
    link: { getLinks: () => new Promise(() => undefined) },
    env: { WAYPOST_RPC_READ_TIMEOUT_MS: '300' },
  });
  const { body } = await hanging.send(QUERY);
  expect(body.errors).toMatchObject([
    { message: 'The link service did not answer in time.', extensions: { code: 'DEADLINE_EXCEEDED' } },
  ]);
  await hanging.stop();
});
