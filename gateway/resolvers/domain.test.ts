import { afterAll, beforeAll, expect, it } from 'vitest';
import { CodeCase } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import { GROUP_ID, group, type Rig, startRig } from '../rig.js';

let rig: Rig;
beforeAll(async () => {
  const folded = { ...group(GROUP_ID, 'folded'), codePolicy: { codeCase: CodeCase.FOLDED, codeLength: 12 } };
  rig = await startRig({
    domain: {
      getGroups: async ({ names }) => ({ groups: [folded].filter(({ name }) => names.includes(name)) }),
      listGroups: async () => ({
        groups: [folded, { ...group('grp_2', 'bare'), recommendedDomain: undefined }],
        hasMore: true,
      }),
    },
  });
});
afterAll(() => rig.stop());

it('a group says its rules and the domain that new links are shown with', async () => {
  const query = `{domainGroup(name: "folded") {
    id name version codePolicy {caseSensitive codeLength}
    recommendedDomain {id hostname displayName kind state stateSince}
  }}`;
  expect((await rig.send(query)).body).toEqual({
    data: {
      domainGroup: {
        id: GROUP_ID,
        name: 'folded',
        version: 1,
        codePolicy: { caseSensitive: false, codeLength: 12 },
        recommendedDomain: {
          id: 'dom_01J00000000000000000000000',
          hostname: 'localhost',
          displayName: 'localhost',
          kind: 'PLATFORM',
          state: 'ACTIVE',
          stateSince: '2030-01-31T10:00:00.000Z',
        },
      },
    },
  });
});

it('groups come in pages; one may have no domain yet', async () => {
  const query =
    '{domainGroups(first: 2, after: "grp_0") {nodes {name recommendedDomain {id}} pageInfo {hasNextPage endCursor}}}';
  expect((await rig.send(query)).body.data.domainGroups).toEqual({
    nodes: [
      { name: 'folded', recommendedDomain: { id: 'dom_01J00000000000000000000000' } },
      { name: 'bare', recommendedDomain: null },
    ],
    pageInfo: { hasNextPage: true, endCursor: 'grp_2' },
  });
  expect(rig.callsOf('listGroups').at(-1)?.request).toEqual({ first: 2, afterId: 'grp_0' });
});

it('viewer and tenant in one document ask for the tenant once', async () => {
  const { body } = await rig.send(
    '{viewer {actor {id kind name} tenant {name} scopes} tenant {id name status createdAt}}',
  );
  expect(body.data).toEqual({
    viewer: {
      actor: { id: 'key_owner', kind: 'API_KEY', name: 'OWNER' },
      tenant: { name: 'First' },
      scopes: ['OWNER'],
    },
    tenant: {
      id: 'ten_01J00000000000000000000000',
      name: 'First',
      status: 'ACTIVE',
      createdAt: '2030-01-31T10:00:00.000Z',
    },
  });
  expect(rig.callsOf('getTenant')).toHaveLength(1);
});
