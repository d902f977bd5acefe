import type { Resolvers } from '../../gen/graphql.js';
import { TenantStatus } from '../../gen/proto/waypost/tenant/v1/tenant_service.js';
import type { GatewayContext } from '../context.js';
import { knownName } from '../enum.js';

export const tenantResolvers: Resolvers<GatewayContext> = {
  Query: {
    viewer: (_parent, _args, { identity }) =>
      identity ? { actor: { ...identity.actor, name: identity.actor.name || null }, scopes: identity.scopes } : null,
    tenant: async (_parent, _args, { loaders }) => (await loaders.tenant()) ?? null,
  },
  Viewer: {
    tenant: async (_viewer, _args, { loaders }) => (await loaders.tenant()) ?? null,
  },
  Tenant: {
    status: (tenant) => knownName(TenantStatus, tenant.status),
  },
};
