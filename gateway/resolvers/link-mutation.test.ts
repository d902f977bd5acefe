import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { link, linkId, type Rig, startRig } from '../rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    link: {
      createLink: async () => ({ link: link(1), replayed: true }),
      updateLink: async () => ({ link: link(1), replayed: false }),
      setLinkEnabled: async () => ({ link: link(1) }),
    },
  });
});
afterAll(() => rig.stop());

const CREATE =
  'mutation($input: CreateLinkInput!) {createLink(input: $input) {link {id} problems {code message path} replayed}}';
const UPDATE =
  'mutation($input: UpdateLinkInput!) {updateLink(input: $input) {link {id} problems {code message path} replayed}}';
const ID = linkId(1);

/** What the service was asked. */
async function asked(method: string, document: string, input: object, headers?: Record<string, string>) {
  const { body } = await rig.send(document, { variables: { input }, ...(headers ? { headers } : {}) });
  expect(body.errors).toBeUndefined();
  return rig.callsOf(method).at(-1)?.request;
}

const NONE = {
  targetUrl: undefined,
  title: undefined,
  note: undefined,
  externalId: undefined,
  tags: [],
  metadata: [],
  effectiveAt: undefined,
  expiresAt: undefined,
};

describe('createLink', () => {
  it('asks for no more than the caller gave, and 302', async () => {
    expect(await asked('createLink', CREATE, { targetUrl: 'https://example.com' })).toEqual({
      fields: { ...NONE, targetUrl: 'https://example.com' },
      domainGroup: '',
      shortCode: undefined,
      redirectType: 302,
      idempotencyKey: '',
    });
  });

  it('passes every field as it was written; null is as good as absent', async () => {
    const input = {
      targetUrl: 'no url at all',
      domainGroup: 'brand',
      shortCode: 'AbC',
      redirectType: 999,
      title: 'T',
      note: null,
      externalId: 'e',
      tags: ['b', 'a', 'b'],
      metadata: { s: 'x', n: 1.5, t: true, z: null, constructor: 'c' },
      effectiveAt: 'tomorrow',
      expiresAt: '2027-02-30',
      idempotencyKey: 'k',
    };
    expect(await asked('createLink', CREATE, input)).toEqual({
      fields: {
        targetUrl: 'no url at all',
        title: 'T',
        note: undefined,
        externalId: 'e',
        tags: ['b', 'a', 'b'],
        metadata: [
          { key: 's', value: 'x' },
          { key: 'n', value: 1.5 },
          { key: 't', value: true },
          { key: 'z', value: null },
          { key: 'constructor', value: 'c' },
        ],
        effectiveAt: 'tomorrow',
        expiresAt: '2027-02-30',
      },
      domainGroup: 'brand',
      shortCode: 'AbC',
      redirectType: 999,
      idempotencyKey: 'k',
    });
  });

  it('answers the link, and whether it had been made before', async () => {
    expect((await rig.send(CREATE, { variables: { input: { targetUrl: 'x' } } })).body.data.createLink).toEqual({
      link: { id: ID },
      problems: [],
      replayed: true,
    });
  });

  it('a literal with __proto__ in metadata is a key like any other, as in a variable (MG-3)', async () => {
    await rig.send('mutation {createLink(input: {targetUrl: "x", metadata: {__proto__: "p"}}) {replayed}}');
    const expected = { fields: { metadata: [{ key: '__proto__', value: 'p' }] } };
    expect(rig.callsOf('createLink').at(-1)?.request).toMatchObject(expected);
    await rig.post(
      `{"query": ${JSON.stringify(CREATE)}, "variables": {"input": {"targetUrl": "x", "metadata": {"__proto__": "p"}}}}`,
      { authorization: 'Bearer owner-key-of-the-first-tenant-0000' },
    );
    expect(rig.callsOf('createLink').at(-1)?.request).toMatchObject(expected);
    expect(rig.callsOf('createLink').length).toBeGreaterThan(1);
  });
});

describe('what the wire can not carry as it was written is a problem with its path, and nothing is asked', () => {
  it.each([
    ['metadata that is a text', { metadata: 'x' }, 'INVALID_ARGUMENT', ['metadata']],
    ['metadata that is a number', { metadata: 1 }, 'INVALID_ARGUMENT', ['metadata']],
    ['metadata that is false', { metadata: false }, 'INVALID_ARGUMENT', ['metadata']],
    ['metadata that is a list', { metadata: [] }, 'INVALID_ARGUMENT', ['metadata']],
    ['an object in metadata', { metadata: { a: 1, b: { $ne: null } } }, 'INVALID_ARGUMENT', ['metadata', 'b']],
    ['a list in metadata', { metadata: { a: [] } }, 'INVALID_ARGUMENT', ['metadata', 'a']],
    ['half a surrogate pair in a URL', { targetUrl: 'https://example.com/\ud800' }, 'INVALID_UNICODE', ['targetUrl']],
    ['half a surrogate pair in a tag', { tags: ['a', '\udc00'] }, 'INVALID_UNICODE', ['tags', '1']],
    ['half a surrogate pair in a value', { metadata: { a: '\ud800x' } }, 'INVALID_UNICODE', ['metadata', 'a']],
    ['half a surrogate pair in a key', { metadata: { '\ud800': 1 } }, 'INVALID_UNICODE', ['metadata', '\ud800']],
    [
      'half a surrogate pair in a key of idempotency',
      { idempotencyKey: '\ud800' },
      'INVALID_UNICODE',
      ['idempotencyKey'],
    ],
  ])('%s', async (_name, input, code, path) => {
    const before = rig.callsOf('createLink').length;
    const { body } = await rig.send(CREATE, { variables: { input: { targetUrl: 'x', ...input } } });
    expect(body.errors).toBeUndefined();
    expect(body.data.createLink).toEqual({
      link: null,
      problems: [{ code, message: expect.any(String), path: ['input', ...path] }],
      replayed: false,
    });
    expect(rig.callsOf('createLink')).toHaveLength(before);
  });

  it('all faults come at once', async () => {
    const input = { targetUrl: '\ud800', title: '\ud800', metadata: { a: {}, b: [] } };
    const { problems } = (await rig.send(CREATE, { variables: { input } })).body.data.createLink;
    expect(problems.map((problem: { path: string[] }) => problem.path.slice(1).join('.'))).toEqual([
      'targetUrl',
      'title',
      'metadata.a',
      'metadata.b',
    ]);
  });

  it('a number that JSON can write and no double can hold', async () => {
    const body = `{"query": ${JSON.stringify(CREATE)}, "variables": {"input": {"targetUrl": "x", "metadata": {"a": 1e999}}}}`;
    const answer = await rig.post(body, { authorization: 'Bearer owner-key-of-the-first-tenant-0000' });
    expect(answer.body.data.createLink.problems).toMatchObject([{ path: ['input', 'metadata', 'a'] }]);
  });

  it('nesting of any depth', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const body = `{"query": ${JSON.stringify(CREATE)}, "variables": {"input": {"targetUrl": "x", "metadata": ${deep}}}}`;
    const answer = await rig.post(body, { authorization: 'Bearer owner-key-of-the-first-tenant-0000' });
    expect(answer.body.data.createLink.problems).toMatchObject([{ path: ['input', 'metadata', 'a'] }]);
  });

  it('whole pairs and all other characters pass', async () => {
    const title = '😀\0\u202e\uffff';
    expect(await asked('createLink', CREATE, { targetUrl: 'x', title })).toMatchObject({ fields: { title } });
  });
});

describe('updateLink', () => {
  const given = { id: ID, expectedVersion: 3 };

  it('an absent field is not in the mask', async () => {
    expect(await asked('updateLink', UPDATE, given)).toEqual({
      ...given,
      fields: NONE,
      mask: [],
      reason: '',
      idempotencyKey: '',
    });
  });

  it('null is in the mask and has no value', async () => {
    const input = {
      targetUrl: null,
      title: null,
      note: null,
      externalId: null,
      tags: null,
      metadata: null,
      effectiveAt: null,
      expiresAt: null,
    };
    expect(await asked('updateLink', UPDATE, { ...given, ...input })).toMatchObject({
      fields: NONE,
      mask: ['target_url', 'title', 'note', 'external_id', 'tags', 'metadata', 'effective_at', 'expires_at'],
    });
  });

  it('a value is in the mask and passed as it was written; the empty text is a value', async () => {
    const input = { targetUrl: 'x', title: '', tags: [], metadata: {}, reason: 'r', idempotencyKey: 'k' };
    expect(await asked('updateLink', UPDATE, { ...given, ...input })).toEqual({
      ...given,
      fields: { ...NONE, targetUrl: 'x', title: '' },
      mask: ['target_url', 'title', 'tags', 'metadata'],
      reason: 'r',
      idempotencyKey: 'k',
    });
  });

  it('a variable that was not given is an absent field', async () => {
    const document = `mutation($title: String) {updateLink(input: {id: "${ID}", expectedVersion: 3, title: $title}) {replayed}}`;
    await rig.send(document);
    expect(rig.callsOf('updateLink').at(-1)?.request).toMatchObject({ mask: [] });
    await rig.send(document, { variables: { title: null } });
    expect(rig.callsOf('updateLink').at(-1)?.request).toMatchObject({ mask: ['title'] });
  });
});

describe('disableLink and enableLink', () => {
  it.each([
    ['disableLink', false],
    ['enableLink', true],
  ])('%s holds for whatever version stands unless one is named', async (name, enabled) => {
    const document = `mutation($input: LinkActionInput!) {${name}(input: $input) {link {id} problems {code} replayed}}`;
    expect(await asked('setLinkEnabled', document, { id: ID })).toEqual({
      id: ID,
      enabled,
      expectedVersion: undefined,
      reason: '',
    });
    expect(await asked('setLinkEnabled', document, { id: ID, expectedVersion: 0, reason: 'r' })).toEqual({
      id: ID,
      enabled,
      expectedVersion: 0,
      reason: 'r',
    });
  });
});

describe('the header Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'from-header' };

  it('counts for a request with one mutation whose input has no key', async () => {
    expect(await asked('createLink', CREATE, { targetUrl: 'x' }, headers)).toMatchObject({
      idempotencyKey: 'from-header',
    });
    expect(await asked('createLink', CREATE, { targetUrl: 'x', idempotencyKey: 'own' }, headers)).toMatchObject({
      idempotencyKey: 'own',
    });
    expect(await asked('updateLink', UPDATE, { id: ID, expectedVersion: 1 }, headers)).toMatchObject({
      idempotencyKey: 'from-header',
    });
  });

  it.each([
    [
      'two mutations',
      'mutation {a: createLink(input: {targetUrl: "x"}) {problems {code path}} b: createLink(input: {targetUrl: "x"}) {replayed}}',
    ],
    [
      'a fragment',
      'mutation {...f} fragment f on Mutation {a: createLink(input: {targetUrl: "x"}) {problems {code path}}}',
    ],
  ])('is refused for %s without keys of their own, and nothing is made', async (_name, document) => {
    const before = rig.callsOf('createLink').length;
    expect((await rig.send(document, { headers })).body.data.a.problems).toEqual([
      { code: 'INVALID_ARGUMENT', path: ['input', 'idempotencyKey'] },
    ]);
    expect(rig.callsOf('createLink')).toHaveLength(before);
  });

  it('does not stand in the way of two mutations with keys of their own', async () => {
    const one = (name: string) =>
      `${name}: createLink(input: {targetUrl: "x", idempotencyKey: "${name}"}) {problems {code}}`;
    const { body } = await rig.send(`mutation {${one('a')} ${one('b')}}`, { headers });
    expect(body.data).toEqual({ a: { problems: [] }, b: { problems: [] } });
    expect(rig.callsOf('createLink').slice(-2)).toMatchObject([
      { request: { idempotencyKey: 'a' } },
      { request: { idempotencyKey: 'b' } },
    ]);
  });
});
