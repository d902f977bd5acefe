import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, CREDENTIALS, type Rig, startRig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const KEY = { authorization: `Bearer ${CREDENTIALS.OWNER}` };
const TYPENAME = '{"query":"{__typename}"}';

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(new URL(path, rig.gateway.url), { method, headers, redirect: 'manual' }).then(answerOf);
}

/** Sends bytes as they are and answers all that comes back. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(rig.gateway.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

describe('cross-site requests are refused (G10, V6)', () => {
  it('a GET without a header that needs a preflight: 400', async () => {
    expect(await get('/graphql?query={__typename}', KEY)).toMatchObject({ status: 400 });
  });

  it('a GET with one: 200', async () => {
    const answer = await get('/graphql?query={__typename}', { 'apollo-require-preflight': '1' });
    expect(answer).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
  });

  it('a GET with text/plain: 415, with and without a preflight', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await get('/graphql?query={__typename}', headers)).toMatchObject({ status: 415 });
    expect(await get('/graphql?query={__typename}', { ...headers, 'apollo-require-preflight': '1' })).toMatchObject({
      status: 415,
    });
  });

  it('a GET of a mutation: 405 with Allow, nothing is done', async () => {
    const query = encodeURIComponent('mutation { disableLink(input: {id: "lnk_0000000000000"}) { replayed } }');
    const answer = await get(`/graphql?query=${query}`, { ...KEY, 'apollo-require-preflight': '1' });
    expect(answer).toMatchObject({ status: 405 });
    expect(answer.headers.get('allow')).toBe('POST');
    expect(rig.callsOf('setLinkEnabled')).toHaveLength(0);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a POST of a form, %s: 400',
    async (type) => {
      expect(await rig.post(TYPENAME, { ...KEY, 'content-type': type })).toMatchObject({
        status: 400,
        body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
      });
    },
  );

  it.each(['application/xml', 'x', 'application/json; charset=utf-7', 'application/json; charset="UTF-16"'])(
    'a POST of another type, %s: 415 (G15)',
    async (type) => {
      const answer = await rig.post(TYPENAME, { ...KEY, 'content-type': type });
      expect(answer).toMatchObject({ status: 415, body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } });
      expect(answer.text).not.toMatch(/stack|node_modules/);
    },
  );

  it.each(['application/json', 'application/json; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'a POST of %s: 200',
    async (type) => expect(await rig.post(TYPENAME, { 'content-type': type })).toMatchObject({ status: 200 }),
  );
});

describe('a body that is no request is refused in the form of GraphQL', () => {
  it.each([
    ['nothing', ''],
    ['broken JSON', '{"query":'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['a batch of 10 (G6)', `[${Array(10).fill(TYPENAME).join(',')}]`],
    ['an empty batch', '[]'],
    ['no query', '{"variables":{}}'],
    ['a query that is a number', '{"query":1}'],
    ['variables that are a text', '{"query":"{__typename}","variables":"{}"}'],
    ['an empty query', '{"query":""}'],
    ['deep nesting', `{"query":"{__typename}","variables":${'['.repeat(100_000)}`],
  ])('%s: 400', async (_name, body) => {
    const answer = await rig.post(body, KEY);
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.any(String), extensions: { code: 'BAD_REQUEST' } }] },
    });
  });

  it('bytes that are not UTF-8: 400, so that U+FFFD never replaces what was meant', async () => {
    const body = Buffer.from('{"query":"{__typename}","x":"\xff"}', 'latin1');
    expect(await rig.post(body, KEY)).toMatchObject({ status: 400 });
  });

  it('a syntax error: 400', async () => {
    const answer = await rig.send('{ viewer ');
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
    });
  });

  it('an operation that the document does not have: 400', async () => {
    const answer = await rig.send('query A { __typename } query B { __typename }', { operationName: 'C' });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] },
    });
  });
});

describe('sizes and times are limited (G13)', () => {
  const tooLarge = { status: 413, body: { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] } };

  it('variables of 2 MB: 413', async () => {
    expect(await rig.send('{__typename}', { variables: { x: 'x'.repeat(2 ** 21) } })).toMatchObject(tooLarge);
  });

  it('a body of 256 KB is read, one of a byte more is not', async () => {
    const fill = (bytes: number) => `${TYPENAME.slice(0, -1)},"x":"${'x'.repeat(bytes - TYPENAME.length - 7)}"}`;
    expect(await rig.post(fill(256 * 1024))).toMatchObject({ status: 200 });
    expect(await rig.post(fill(256 * 1024 + 1))).toMatchObject(tooLarge);
  });

  it('a body without a length: 413 as soon as it passes the limit', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head =
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const answer = await raw(head + chunk.repeat(5));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('PAYLOAD_TOO_LARGE');
  });

  it('a form of 50 MB: 413', async () => {
    const answer = raw(
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 52428800\r\nconnection: close\r\n\r\n',
    );
    expect(await answer).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('HTTP that is not for the API is answered without a repetition of what was sent', () => {
  it.each([
    '/',
    '/graphqlx',
    '/graphql/x',
    '/GRAPHQL',
    '/%3Csvg%20onload=1%3E',
    '//evil.example/graphql',
    '/metrics',
    '/graphiql',
  ])('%s: 404 as JSON (G12)', async (path) => {
    const answer = await fetch(rig.gateway.url.replace('/graphql', path), { headers: { accept: 'text/html' } }).then(
      answerOf,
    );
    expect(answer).toMatchObject({ status: 404, body: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } });
    expect(answer.text).not.toContain('svg');
  });

  it('no landing page: a browser at /graphql gets JSON (G12)', async () => {
    const answer = await get('/graphql', { accept: 'text/html' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s /graphql: 405 with Allow', async (method) => {
    const answer = await get('/graphql', KEY, method);
    expect(answer).toMatchObject({ status: 405, body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } });
    expect(answer.headers.get('allow')).toBe('GET, POST');
  });

  it.each([
    ['a path that can not be decoded', 'GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['no Host', 'GET /graphql HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['HTTP/1.0 without Host', 'GET /graphql HTTP/1.0\r\n\r\n'],
    ['two Hosts', 'GET /graphql HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
    ['a Host that is none', 'GET /graphql HTTP/1.1\r\nhost: a b<c\r\nconnection: close\r\n\r\n'],
    ['a Host that is %', 'GET /graphql HTTP/1.1\r\nhost: %%%\r\nconnection: close\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['a NUL in a header', 'GET /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a\0b\r\n\r\n'],
  ])('%s: 400', async (_name, text) => {
    const answer = await raw(text);
    expect(answer).toMatch(/^HTTP\/1.[01] 400 /);
  });

  it('an IPv6 Host is one', async () => {
    const answer = await raw(
      'GET /graphql?query={__typename} HTTP/1.1\r\nhost: [::1]:4000\r\napollo-require-preflight: 1\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('headers of 1 MB: 431', async () => {
    const answer = await raw(
      `GET /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${'a'.repeat(2 ** 20)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
  });

  it('every answer forbids sniffing, framing and storing', async () => {
    for (const answer of [await rig.send('{__typename}'), await get('/x'), await rig.post('{')]) {
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
