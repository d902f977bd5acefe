import { ActorKind } from '../../gen/proto/waypost/context/v1/context.js';
import { type TenantServiceService, TenantStatus } from '../../gen/proto/waypost/tenant/v1/tenant_service.js';
import { tenantOf } from '../../runtime/rpc-context.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Tenants } from './tenants.js';

export function tenantHandlers(tenants: Tenants): Handlers<typeof TenantServiceService> {
  return {
    async authenticate({ credentialSha256 }) {
      const { key, tenant } = await tenants.authenticate(credentialSha256);
      return {
        tenantId: tenant.id,
        actor: { id: key.id, kind: ActorKind.API_KEY, name: key.name },
        scopes: key.scopes,
        policyVersion: tenant.policyVersion,
      };
    },

    async getTenant(_request, caller) {
      const { status, policyVersion: _, ...tenant } = await tenants.tenant(tenantOf(caller));
      return { tenant: { ...tenant, status: TenantStatus[status] } };
    },
  };
}
