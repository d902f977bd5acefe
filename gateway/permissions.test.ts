import { isIntrospectionType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guarded, permissions } from './permissions.js';
import { CREDENTIALS, group, link, linkId, type Rig, type SendOptions, startRig } from './rig.js';
import { createSchema } from './schema.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    link: {
      getLinks: async () => ({ links: [link(1)] }),
      findLink: async () => ({ link: link(1) }),
      listLinks: async () => ({ edges: [{ cursor: 'c', link: link(1) }], hasMore: false }),
      createLink: async () => ({ link: link(1), replayed: false }),
      updateLink: async () => ({ link: link(1), replayed: false }),
      setLinkEnabled: async () => ({ link: link(1) }),
    },
    domain: {
      getGroups: async () => ({ groups: [group()] }),
      listGroups: async () => ({ groups: [group()], hasMore: false }),
    },
    stats: {
      queryAnalytics: async () => ({
        quality: undefined,
        panels: [
          {
            kind: {
              $case: 'totals' as const,
              value: { metrics: { clicks: 1, visitors: undefined, excluded: [] }, previous: undefined },
            },
          },
        ],
      }),
    },
  });
});
afterAll(() => rig.stop());

const QUERIES: Record<string, string> = {
  node: `node(id: "${linkId(1)}") {id}`,
  viewer: 'viewer {actor {id}}',
  tenant: 'tenant {id}',
  link: `link(id: "${linkId(1)}") {id}`,
  linkByShortUrl: 'linkByShortUrl(shortUrl: "x") {id}',
  linkByExternalId: 'linkByExternalId(externalId: "x") {id}',
  links: 'links {nodes {id}}',
  domainGroup: 'domainGroup(name: "default") {id}',
  domainGroups: 'domainGroups {nodes {id}}',
  analytics: 'analytics(query: {range: {preset: ALL}}) {totals {clicks}}',
};
const MUTATIONS: Record<string, string> = {
  createLink: 'createLink(input: {targetUrl: "x"}) {replayed}',
  updateLink: `updateLink(input: {id: "${linkId(1)}", expectedVersion: 1}) {replayed}`,
  disableLink: `disableLink(input: {id: "${linkId(1)}"}) {replayed}`,
  enableLink: `enableLink(input: {id: "${linkId(1)}"}) {replayed}`,
};

type Role = NonNullable<SendOptions['as']>;

describe('the schema walk (G16, V25)', () => {
  const types = Object.values(createSchema().getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type),
  );

  it.each(types.map((type) => [type.name, type] as const))('each field of %s has a rule of its own', (name, type) => {
    if (!isObjectType(type)) throw new Error();
    expect(Object.keys(permissions[name] ?? {}).sort()).toEqual(Object.keys(type.getFields()).sort());
  });

  it('no rule is for a type that is not there', () => {
    expect(Object.keys(permissions).sort()).toEqual(types.map((type) => type.name).sort());
  });

  it('everything that a caller meets has a description', () => {
    const bare: string[] = [];
    const note = (path: string, { description }: { description?: string | null | undefined }) => {
      if (!description) bare.push(path);
    };
    for (const type of Object.values(createSchema().getTypeMap())) {
      if (isIntrospectionType(type) || ['ID', 'Int', 'String', 'Boolean', 'Float'].includes(type.name)) continue;
      note(type.name, type);
      const { fields = [], values = [] } = {
        fields: 'getFields' in type ? Object.values(type.getFields()) : [],
        values: 'getValues' in type ? type.getValues() : [],
      };
      for (const part of [...fields, ...values]) {
        note(`${type.name}.${part.name}`, part);
        if ('args' in part) for (const arg of part.args) note(`${type.name}.${part.name}(${arg.name})`, arg);
      }
    }
    expect(bare).toEqual([]);
  });

  it('the cases below name every query and every mutation', () => {
    const schema = createSchema();
    expect(Object.keys(QUERIES).sort()).toEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort());
    expect(Object.keys(MUTATIONS).sort()).toEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort());
  });
});

it('a field without a rule is denied to an owner', async () => {
  const { makeExecutableSchema } = await import('@graphql-tools/schema');
  const { graphql } = await import('graphql');
  const fields = Object.entries(permissions).map(
    ([name, rules]) =>
      `type ${name} { ${Object.keys(rules)
        .map((f) => `${f}: String`)
        .join(' ')} }`,
  );
  const schema = guarded(
    makeExecutableSchema({
      typeDefs: [...fields, 'extend type Query { forgotten: String }'],
      resolvers: { Query: { forgotten: () => 'secret' } },
    }),
  );
  const contextValue = { identity: { scopes: ['OWNER', 'OPERATOR'] } };
  const { data, errors } = await graphql({ schema, source: '{forgotten}', contextValue });
  expect(data).toEqual({ forgotten: null });
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

describe('without a credential', () => {
  it.each(Object.entries(QUERIES))('query %s is UNAUTHENTICATED with 401', async (name, query) => {
    const answer = await rig.send(`{${query}}`, { as: null });
    expect(answer).toMatchObject({
      status: 401,
      body: { data: { [name]: null }, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(Object.entries(MUTATIONS))('mutation %s is UNAUTHENTICATED with 401', async (name, mutation) => {
    expect(await rig.send(`mutation{${mutation}}`, { as: null })).toMatchObject({
      status: 401,
      body: { data: { [name]: null }, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });

  it('no service is called', async () => {
    const before = rig.calls.length;
    await rig.send(`{${Object.values(QUERIES).join(' ')}}`, { as: null });
    await rig.send(`mutation{${Object.values(MUTATIONS).join(' ')}}`, { as: null });
    expect(rig.calls).toHaveLength(before);
  });
});

const WRITERS: Role[] = ['OWNER', 'ADMIN', 'EDITOR'];
const READERS: Role[] = ['REVIEWER', 'ANALYST', 'OPERATOR'];

describe.each(WRITERS)('%s', (as) => {
  it('reads and writes', async () => {
    expect((await rig.send(`{${Object.values(QUERIES).join(' ')}}`, { as })).body.errors).toBeUndefined();
    expect((await rig.send(`mutation{${Object.values(MUTATIONS).join(' ')}}`, { as })).body.errors).toBeUndefined();
  });
});

describe.each(READERS)('%s', (as) => {
  it('reads', async () => {
    expect((await rig.send(`{${Object.values(QUERIES).join(' ')}}`, { as })).body.errors).toBeUndefined();
  });

  it.each(Object.entries(MUTATIONS))('may not %s: FORBIDDEN, and the service is not called', async (name, mutation) => {
    const writes = ['createLink', 'updateLink', 'setLinkEnabled'];
    const before = rig.calls.filter((call) => writes.includes(call.method)).length;
    expect(await rig.send(`mutation{${mutation}}`, { as })).toMatchObject({
      status: 200,
      body: { data: { [name]: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] },
    });
    expect(rig.calls.filter((call) => writes.includes(call.method))).toHaveLength(before);
  });
});

it('a credential without a role learns who it is and no more', async () => {
  const answer = await rig.send(`{${Object.values(QUERIES).join(' ')}}`, { as: 'STRANGER' });
  const { viewer, ...rest } = answer.body.data;
  expect(viewer).toEqual({ actor: { id: 'key_stranger' } });
  expect(Object.values(rest).every((value) => value === null)).toBe(true);
  expect(answer.body.errors).toHaveLength(Object.keys(rest).length);
  const codes = answer.body.errors.map((error: { extensions: { code: string } }) => error.extensions.code);
  expect(new Set(codes)).toEqual(new Set(['FORBIDDEN']));
  expect(Object.keys(CREDENTIALS)).toContain('STRANGER');
});

it('one field that is denied leaves the rest', async () => {
  const query = '{viewer {actor {id} tenant {id}}}';
  expect((await rig.send(query, { as: 'STRANGER' })).body).toMatchObject({
    data: { viewer: { actor: { id: 'key_stranger' }, tenant: null } },
    errors: [{ path: ['viewer', 'tenant'], extensions: { code: 'FORBIDDEN' } }],
  });
});
