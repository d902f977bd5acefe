import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { link, type Rig, startRig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    link: {
      listLinks: async () => ({ edges: [{ cursor: 'c', link: link(1) }], hasMore: false }),
      listLinkVersions: async () => ({ edges: [], hasMore: false }),
      countLinks: async () => ({ count: 1 }),
    },
  });
});
afterAll(() => rig.stop());

/** 400, one of the codes, and no service has been asked anything but who the caller is. */
async function expectRefused(document: string, code: string, variables?: Record<string, unknown>) {
  const before = rig.calls.filter((call) => call.method !== 'authenticate').length;
  const answer = await rig.send(document, { variables });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ extensions: { code } }));
  expect(answer.body.data).toBeUndefined();
  expect(rig.calls.filter((call) => call.method !== 'authenticate')).toHaveLength(before);
  return answer;
}

function times(n: number, text: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => text(i)).join(' ');
}

describe('the schema is not told to who asks', () => {
  it('introspection is off outside development, for those with a key too (G1)', async () => {
    const invalid = { status: 400, body: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } };
    expect(await rig.send('{__schema{types{name}}}', { as: null })).toMatchObject(invalid);
    expect(await rig.send('{__schema{types{name}}}')).toMatchObject(invalid);
    expect(await rig.send('{__type(name: "Link"){name}}')).toMatchObject(invalid);
  });

  it('nested introspection is refused (G2)', async () => {
    const nested = '{__schema{types{fields{type{fields{type{fields{type{fields{name}}}}}}}}}}';
    await expectRefused(nested, 'GRAPHQL_VALIDATION_FAILED');
  });

  it.each([
    ['a field', '{linkk(id: 1){id}}', undefined],
    ['a field of a type', '{link(id: "x"){shortCod}}', undefined],
    ['an argument', '{link(idd: "x"){id}}', undefined],
    ['a type', 'query($x: Lin) {link(id: $x){id}}', undefined],
    ['an enum value', '{links(orderBy: CREATED_DES){nodes{id}}}', undefined],
    ['a field of an input', 'mutation{createLink(input:{targetUr: "x"}){replayed}}', undefined],
    [
      'a field of a variable',
      'mutation($i: CreateLinkInput!){createLink(input:$i){replayed}}',
      { i: { targetUrl: 'x', titel: 'x' } },
    ],
    ['an enum value of a variable', 'query($o: LinkOrder){links(orderBy:$o){nodes{id}}}', { o: 'CREATED_DES' }],
  ])('a mistake in %s brings no suggestion (G3)', async (_name, query, variables) => {
    const answer = await rig.send(query, { variables });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('Did you mean');
  });
});

describe('a document is refused before it is executed when it is', () => {
  it.each([
    [
      '31 aliases of a mutation (G4)',
      `mutation{${times(31, (i) => `a${i}:createLink(input:{targetUrl:"x"}){replayed}`)}}`,
    ],
    ['31 aliases in fragments', `{${times(31, () => '...f')}} fragment f on Query {a:links{nodes{id}}}`],
    ['5,000 tokens (G7)', `{${'__typename '.repeat(5_000)}}`],
    ['21 directives', `{${times(21, () => 'viewer @include(if: true) {scopes}')}}`],
    ['13 deep (G9)', `{links${times(5, () => '{edges{node{versions')}{edges{node{id}}}${'}}}'.repeat(5)}}`],
    ['fragments in fragments (G9)', bomb(20)],
    ['dear: versions of a long page', '{links(first: 100){nodes{versions(first: 1){nodes{id}}}}}'],
    [
      'dear: many long pages',
      `{${times(30, (i) => `a${i}:links(first: 100){nodes{id shortCode shortUrl targetUrl}}`)}}`,
    ],
    ['dear by a variable', 'query($n: Int){links(first:$n){nodes{versions{nodes{id}}}}}', { n: 100 }],
  ])('%s', async (_name, query, variables?: Record<string, unknown>) => {
    await expectRefused(query, 'QUERY_TOO_COMPLEX', variables);
  });

  it('invalid in many places: the list of errors is short (G8)', async () => {
    const unknown = `{viewer ${times(60, (i) => `@unknown${i}`)} {scopes}}`;
    const repeated = `{viewer ${'@include(if: true) '.repeat(60)} {scopes}}`;
    for (const query of [unknown, repeated, `{${times(300, (i) => `unknown${i}`)}}`]) {
      const answer = await rig.send(query);
      expect(answer.status).toBe(400);
      expect(answer.body.errors.length).toBeLessThanOrEqual(11);
    }
  });

  it('given 1,000 bad variables: the list of errors is short (G21)', async () => {
    const query = 'mutation($i: CreateLinkInput!){createLink(input:$i){replayed}}';
    const answer = await rig.send(query, { variables: { i: { targetUrl: 'x', tags: Array(1_000).fill(1) } } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.length).toBeLessThanOrEqual(11);
    expect(answer.body.errors.at(-1)).toMatchObject({
      message: expect.stringContaining('Too many errors'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it.each([
    [
      'a number for a date',
      'mutation($x: DateTime){createLink(input:{targetUrl:"x",expiresAt:$x}){replayed}}',
      { x: 1 },
    ],
    ['null for what must be', 'query($x: ID = "x"){link(id:$x){id}}', { x: null }],
    ['null for a condition', 'query($x: Boolean = true){viewer @include(if:$x){scopes}}', { x: null }],
    ['an operator of MongoDB for an id (MG-1)', 'query($x: ID!){link(id:$x){id}}', { x: { $ne: null } }],
    ['an operator for a text (MG-1)', 'query($x: String!){linkByExternalId(externalId:$x){id}}', { x: { $gt: '' } }],
  ])('given %s: BAD_USER_INPUT', async (_name, query, variables) => {
    const answer = await rig.send(query, { variables });
    expect(answer).toMatchObject({ body: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] } });
    expect(answer.status).toBeLessThan(500);
  });
});

describe('first', () => {
  const outOfRange = {
    status: 400,
    body: { errors: [{ extensions: { code: 'INVALID_ARGUMENT', argumentPath: ['first'] } }] },
  };

  it.each([0, -1, 101, 99_999_999])('%d is refused (G9)', async (n) => {
    expect(await rig.send(`{links(first: ${n}){nodes{id}}}`)).toMatchObject(outOfRange);
    expect(await rig.send(`{domainGroups(first: ${n}){nodes{id}}}`)).toMatchObject(outOfRange);
    expect(
      await rig.send('query($n: Int){links{nodes{versions(first:$n){nodes{id}}}}}', { variables: { n } }),
    ).toMatchObject(outOfRange);
  });

  it.each([
    ['1', 1],
    ['100', 100],
    ['null', 20],
  ])('%s asks for %d', async (text, n) => {
    expect(await rig.send(`{links(first: ${text}){nodes{id}}}`)).toMatchObject({ status: 200 });
    expect(rig.callsOf('listLinks').at(-1)?.request).toMatchObject({ first: n });
  });
});

describe('what people need is allowed', () => {
  const fields = `id shortCode shortUrl targetUrl status risk redirectType version title note externalId tags metadata
    effectiveAt expiresAt createdAt updatedAt createdBy{id kind name} updatedBy{id kind name} domainGroup{id name}`;

  it.each([
    ['101 aliases of __typename (G5)', `{${times(101, (i) => `a${i}:__typename`)}}`],
    [
      'a fragment at each of 8 levels',
      `{...q} fragment q on Query {links {...c}} fragment c on LinkConnection {edges {...e}}
       fragment e on LinkEdge {node {...l}} fragment l on Link {versions(first: 5) {...vc}}
       fragment vc on LinkVersionConnection {edges {...ve}} fragment ve on LinkVersionEdge {node {...v}}
       fragment v on LinkVersion {actor {...a}} fragment a on Actor {name}`,
    ],
    ['500 times the same field (G7)', `{${'__typename '.repeat(500)}}`],
    ['all fields of 100 links', `{links(first: 100){edges{cursor node{${fields}}} pageInfo{endCursor} totalCount}}`],
    ['5 versions of each link of a page', '{links{nodes{id versions(first: 5){nodes{version targetUrl createdAt}}}}}'],
  ])('%s', async (_name, query) => {
    const answer = await rig.send(query);
    expect(answer.status).toBe(200);
  });
});

describe('persisted queries are off (G14)', () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'x'.repeat(64) } };
  const refused = { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] };

  it('an unknown hash is not looked for and a known document not kept', async () => {
    expect((await rig.post(JSON.stringify({ extensions }))).body).toMatchObject(refused);
    expect((await rig.post(JSON.stringify({ query: '{__typename}', extensions }))).body).toMatchObject(refused);
  });
});

/** Each fragment holds the next twice: 2^n fields from n lines. */
function bomb(n: number): string {
  const fragments = times(n, (i) => `fragment f${i} on Link {...f${i + 1} ...f${i + 1}}`);
  return `{link(id: "x"){...f0}} ${fragments} fragment f${n} on Link {id}`;
}
