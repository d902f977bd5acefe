import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Link, LinkOrder, LinkStatus } from '../../gen/proto/waypost/link/v1/link_service.js';
import { RiskVerdict } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { DOMAIN_ID, GROUP_ID, group, link, linkId, linkVersion, type Rig, startRig } from '../rig.js';

const OTHER_GROUP = GROUP_ID.replace(/0$/, '1');

let links: Link[] = [];
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    link: {
      getLinks: async ({ ids }) => ({ links: links.filter(({ id }) => ids.includes(id)).reverse() }),
      findLink: async ({ by }) => ({
        link: links.find(
          ({ shortUrl, externalId }) => by?.value === (by?.$case === 'shortUrl' ? shortUrl : externalId),
        ),
      }),
      listLinks: async ({ first }) => ({
        edges: links.slice(0, first).map((each) => ({ cursor: `after ${each.id}`, link: each })),
        hasMore: links.length > first,
      }),
      countLinks: async () => ({ count: 2 ** 40 }),
      listLinkVersions: async ({ first, after }) => {
        const from = after === '' ? 250 : Number(after) - 1;
        const edges = Array.from({ length: Math.min(first, from) }, (_, i) => ({
          cursor: String(from - i),
          version: linkVersion(1, from - i),
        }));
        return { edges, hasMore: from > first };
      },
    },
    domain: {
      getGroups: async ({ ids, names }) => ({
        groups: [group(GROUP_ID, 'default'), group(OTHER_GROUP, 'other')].filter(
          ({ id, name }) => ids.includes(id) || names.includes(name),
        ),
      }),
      getDomains: async ({ ids }) => ({
        domains: [group().recommendedDomain as never].filter(({ id }: { id: string }) => ids.includes(id)),
      }),
    },
  });
});
afterAll(() => rig.stop());

async function data(query: string) {
  const { body } = await rig.send(query);
  expect(body.errors).toBeUndefined();
  return body.data;
}

it('a page of links with their groups makes one call for the links and one for the groups', async () => {
  links = Array.from({ length: 100 }, (_, i) => link(i, { groupId: i % 2 ? GROUP_ID : OTHER_GROUP }));
  const before = rig.calls.length;
  const { nodes } = (await data('{links(first: 100) {nodes {id domainGroup {name recommendedDomain {hostname}}}}}'))
    .links;
  expect(nodes).toHaveLength(100);
  expect(nodes.slice(0, 2).map((each: { domainGroup: object }) => each.domainGroup)).toEqual([
    { name: 'other', recommendedDomain: { hostname: 'localhost' } },
    { name: 'default', recommendedDomain: { hostname: 'localhost' } },
  ]);
  const calls = rig.calls.slice(before).filter(({ method }) => method !== 'authenticate');
  expect(calls.map(({ method }) => method)).toEqual(['listLinks', 'getGroups']);
  expect(calls[1]?.request).toEqual({ ids: [OTHER_GROUP, GROUP_ID], names: [] });
});

it('links asked for by id in one document make one call, each once', async () => {
  links = [link(1), link(2)];
  const before = rig.callsOf('getLinks').length;
  const ids = [1, 2, 3, 1, 2].map((n, i) => `a${i}: link(id: "${linkId(n)}") {id}`);
  const answer = await data(`{${ids.join(' ')} b: node(id: "${linkId(1)}") {id}}`);
  expect(answer).toEqual({
    a0: { id: linkId(1) },
    a1: { id: linkId(2) },
    a2: null,
    a3: { id: linkId(1) },
    a4: { id: linkId(2) },
    b: { id: linkId(1) },
  });
  expect(rig.callsOf('getLinks').slice(before)).toMatchObject([
    { request: { ids: [linkId(1), linkId(2), linkId(3)] } },
  ]);
});

it('two requests share no look-up (G18)', async () => {
  links = [link(1)];
  const before = rig.callsOf('getLinks').length;
  await Promise.all([1, 2].map(() => data(`{link(id: "${linkId(1)}") {id}}`)));
  expect(rig.callsOf('getLinks')).toHaveLength(before + 2);
});

it('a link says all that the service knows of it', async () => {
  links = [
    link(1, {
      status: LinkStatus.PENDING_REVIEW,
      risk: RiskVerdict.REVIEW,
      title: 'T',
      tags: ['a', 'b'],
      metadata: [
        { key: 'n', value: 1.5 },
        { key: 'z', value: null },
        { key: 'u', value: undefined },
        { key: '__proto__', value: 'x' },
      ],
      expiresAt: new Date('2031-01-01T00:00:00.000Z'),
    }),
  ];
  const fields = `id shortCode shortUrl targetUrl status risk redirectType version title note externalId tags metadata
    effectiveAt expiresAt createdAt updatedAt createdBy {id kind name} updatedBy {id kind name}`;
  const answer = await rig.send(`{link(id: "${linkId(1)}") {${fields}}}`);
  expect(answer.body.data.link).toMatchObject({
    id: linkId(1),
    shortCode: 'code1',
    shortUrl: 'http://localhost:8080/code1',
    targetUrl: 'https://example.com/1',
    status: 'PENDING_REVIEW',
    risk: 'REVIEW',
    redirectType: 302,
    version: 3,
    title: 'T',
    note: null,
    externalId: null,
    tags: ['a', 'b'],
    effectiveAt: null,
    expiresAt: '2031-01-01T00:00:00.000Z',
    createdAt: '2030-01-31T10:00:00.000Z',
    updatedAt: '2030-01-31T10:00:00.123Z',
    createdBy: { id: 'key_bob', kind: 'API_KEY', name: null },
    updatedBy: { id: 'key_bob', kind: 'API_KEY', name: 'Bob' },
  });
  expect(answer.text).toContain('"metadata":{"n":1.5,"z":null,"u":null,"__proto__":"x"}');
});

describe('what does not exist is null without an error', () => {
  it.each([
    `link(id: "${linkId(99)}")`,
    'link(id: "")',
    'link(id: "lnk_x")',
    'link(id: 1)',
    `link(id: "${linkId(1).toUpperCase()}")`,
    'linkByShortUrl(shortUrl: "http://localhost:8080/nothing")',
    'linkByShortUrl(shortUrl: "no url")',
    'linkByExternalId(externalId: "nothing")',
    'domainGroup(name: "nothing")',
    'domainGroup(name: "")',
    `node(id: "${linkId(99)}")`,
    `node(id: "${linkId(99)}.v1")`,
    `node(id: "${linkId(1)}.v0")`,
    `node(id: "${linkId(1)}.v4")`,
    `node(id: "${linkId(1)}.v999999999999")`,
    `node(id: "${linkId(1)}.v1.v1")`,
    `node(id: "${GROUP_ID.slice(0, -1)}7")`,
    `node(id: "${DOMAIN_ID.slice(0, -1)}7")`,
    'node(id: "ten_01J00000000000000000000000")',
    'node(id: "")',
    'node(id: "__proto__")',
  ])('%s', async (field) => {
    links = [link(1)];
    expect(Object.values(await data(`{${field} {id}}`))).toEqual([null]);
  });
});

it('what no id can be is not asked for', async () => {
  const before = rig.calls.filter(({ method }) => method !== 'authenticate').length;
  await data('{link(id: "x") {id} node(id: "lnk_x.v1") {id}}');
  expect(rig.calls.filter(({ method }) => method !== 'authenticate')).toHaveLength(before);
});

describe('node', () => {
  it('finds each type that has ids', async () => {
    links = [link(1, { version: 250 })];
    const ids = [linkId(1), `${linkId(1)}.v250`, GROUP_ID, DOMAIN_ID];
    const query = ids.map((id, i) => `a${i}: node(id: "${id}") {__typename id}`).join(' ');
    expect(await data(`{${query}}`)).toEqual({
      a0: { __typename: 'Link', id: ids[0] },
      a1: { __typename: 'LinkVersion', id: ids[1] },
      a2: { __typename: 'DomainGroup', id: ids[2] },
      a3: { __typename: 'Domain', id: ids[3] },
    });
  });

  it('finds a version that is far back', async () => {
    links = [link(1, { version: 250 })];
    const answer = await data(
      `{node(id: "${linkId(1)}.v7") {... on LinkVersion {version targetUrl risk source actor {kind}}}}`,
    );
    expect(answer.node).toEqual({
      version: 7,
      targetUrl: 'https://example.com/v7',
      risk: 'WARN',
      source: 'API',
      actor: { kind: 'API_KEY' },
    });
  });
});

describe('pages', () => {
  it('carry cursors, and say what comes before and after', async () => {
    links = [link(1), link(2), link(3)];
    const page = 'edges {cursor node {id}} nodes {id} pageInfo {hasNextPage hasPreviousPage startCursor endCursor}';
    const { first, later } = await data(
      `{first: links(first: 2) {${page}} later: links(first: 3, after: "x") {${page}}}`,
    );
    expect(first).toEqual({
      edges: [1, 2].map((n) => ({ cursor: `after ${linkId(n)}`, node: { id: linkId(n) } })),
      nodes: [1, 2].map((n) => ({ id: linkId(n) })),
      pageInfo: {
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: `after ${linkId(1)}`,
        endCursor: `after ${linkId(2)}`,
      },
    });
    expect(later.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('an empty page has no cursors', async () => {
    links = [];
    const { pageInfo } = (await data('{links {pageInfo {hasNextPage startCursor endCursor}}}')).links;
    expect(pageInfo).toEqual({ hasNextPage: false, startCursor: null, endCursor: null });
  });

  it.each([
    ['', 20, '', LinkOrder.CREATED_DESC],
    ['(first: 3, after: "c", orderBy: UPDATED_DESC)', 3, 'c', LinkOrder.UPDATED_DESC],
    ['(first: null, after: null, orderBy: null)', 20, '', LinkOrder.CREATED_DESC],
  ])('links%s', async (args, first, after, order) => {
    await data(`{links${args} {nodes {id}}}`);
    expect(rig.callsOf('listLinks').at(-1)?.request).toEqual({ first, after, order });
  });

  it('links are counted only when that is asked for, and may be more than 2^31', async () => {
    const before = rig.callsOf('countLinks').length;
    await data('{links {nodes {id}}}');
    expect(rig.callsOf('countLinks')).toHaveLength(before);
    expect((await data('{links {totalCount}}')).links.totalCount).toBe(2 ** 40);
  });

  it('versions of a link are a page like any other', async () => {
    links = [link(1)];
    const { versions } = (
      await data(
        `{link(id: "${linkId(1)}") {versions(first: 2, after: "11") {nodes {id} pageInfo {hasNextPage endCursor}}}}`,
      )
    ).link;
    expect(versions).toEqual({
      nodes: [{ id: `${linkId(1)}.v10` }, { id: `${linkId(1)}.v9` }],
      pageInfo: { hasNextPage: true, endCursor: '9' },
    });
  });
});
