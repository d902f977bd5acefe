import type { Resolvers } from '../../gen/graphql.js';
import { CodeCase, DomainKind, DomainState } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import type { GatewayContext } from '../context.js';
import { knownName } from '../enum.js';
import { connection, pageOf } from './connection.js';

export const domainResolvers: Resolvers<GatewayContext> = {
  Query: {
    // The services' empty name is the default group; to callers it is no name.
    domainGroup: async (_parent, { name }, { loaders }) =>
      (name !== '' && (await loaders.groupByName.load(name))) || null,

    async domainGroups(_parent, args, { services, caller, loaders }) {
      const { first, after } = pageOf(args);
      const { groups, hasMore } = await services.domain.call('listGroups', { first, afterId: after }, caller);
      for (const group of groups) loaders.group.prime(group.id, group);
      return connection(
        groups.map((group) => ({ cursor: group.id, node: group })),
        hasMore,
        after,
      );
    },
  },
  CodePolicy: {
    caseSensitive: (policy) => policy.codeCase === CodeCase.SENSITIVE,
  },
  Domain: {
    kind: (domain) => knownName(DomainKind, domain.kind),
    state: (domain) => knownName(DomainState, domain.state),
  },
};
