import type { Resolvers } from '../../gen/graphql.js';
import { LinkOrder, LinkStatus, type ListLinkVersionsResponse } from '../../gen/proto/waypost/link/v1/link_service.js';
import { RiskVerdict } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { parseLinkId } from '../../model/link-id.js';
import type { GatewayContext } from '../context.js';
import { knownName } from '../enum.js';
import { present } from '../present.js';
import { timeRange } from '../time-range.js';
import { actorOf } from './actor.js';
import { connection, pageOf } from './connection.js';

export const linkResolvers: Resolvers<GatewayContext> = {
  Query: {
    link: async (_parent, { id }, { loaders }) =>
      (parseLinkId(id) !== undefined && (await loaders.link.load(id))) || null,

    async linkByShortUrl(_parent, { shortUrl }, { services, caller }) {
      const by = { $case: 'shortUrl' as const, value: shortUrl };
      return (await services.link.call('findLink', { by }, caller)).link ?? null;
    },

    async linkByExternalId(_parent, { externalId }, { services, caller }) {
      const by = { $case: 'externalId' as const, value: externalId };
      return (await services.link.call('findLink', { by }, caller)).link ?? null;
    },

    async links(_parent, args, { services, caller }) {
      const { first, after } = pageOf(args);
      const order = LinkOrder[args.orderBy ?? 'CREATED_DESC'];
      const { edges, hasMore } = await services.link.call('listLinks', { first, after, order }, caller);
      return connection(
        edges.map(({ cursor, link }) => ({ cursor, node: present(link) })),
        hasMore,
        after,
      );
    },
  },

  Link: {
    domainGroup: async (link, _args, { loaders }) => (await loaders.group.load(link.groupId)) ?? null,
    status: (link) => knownName(LinkStatus, link.status),
    risk: (link) => knownName(RiskVerdict, link.risk),
    // A key named __proto__ becomes a property like any other.
    metadata: (link) => Object.fromEntries(link.metadata.map(({ key, value }) => [key, value ?? null])),
    createdBy: (link) => actorOf(link.createdBy),
    updatedBy: (link) => actorOf(link.updatedBy),
    clicks: async (link, { range }, { loaders }) =>
      (await loaders.clicks(timeRange(range, loaders.now, 'UTC', ['range'])).load(link.id)) ?? null,
    async versions(link, args, { services, caller }) {
      const { first, after } = pageOf(args);
      const answer = await services.link.call('listLinkVersions', { linkId: link.id, first, after }, caller);
      return versionConnection(answer, after);
    },
  },

  LinkConnection: {
    totalCount: async (_list, _args, { services, caller }) =>
      (await services.link.call('countLinks', {}, caller)).count,
  },
};

function versionConnection({ edges, hasMore }: ListLinkVersionsResponse, after: string) {
  return connection(
    edges.map(({ cursor, version }) => ({ cursor, node: present(version) })),
    hasMore,
    after,
  );
}
