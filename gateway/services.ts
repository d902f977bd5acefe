import { DomainServiceService } from '../gen/proto/waypost/domain/v1/domain_service.js';
import { LinkServiceService } from '../gen/proto/waypost/link/v1/link_service.js';
import { StatsServiceService } from '../gen/proto/waypost/stats/v1/stats_service.js';
import { TenantServiceService } from '../gen/proto/waypost/tenant/v1/tenant_service.js';
import { connectRpc, type RpcClient } from '../runtime/rpc-client.js';
import type { RpcConfig } from '../runtime/settings.js';

/** The services behind the gateway. */
export interface Services {
  tenant: RpcClient<TenantServiceService>;
  link: RpcClient<LinkServiceService>;
  domain: RpcClient<DomainServiceService>;
  stats: RpcClient<StatsServiceService>;
}

export function connectServices(
  addresses: Record<keyof Services, string>,
  { timeouts, tls }: RpcConfig,
): Services & { close(): void } {
  const tenant = connectRpc(TenantServiceService, {
    address: addresses.tenant,
    name: 'The tenant service',
    idempotent: ['authenticate', 'getTenant'],
    timeouts,
    tls,
  });
  const link = connectRpc(LinkServiceService, {
    address: addresses.link,
    name: 'The link service',
    idempotent: ['getLinks', 'findLink', 'listLinks', 'countLinks', 'listLinkVersions'],
    timeouts,
    tls,
  });
  const domain = connectRpc(DomainServiceService, {
    address: addresses.domain,
    name: 'The domain service',
    idempotent: ['getGroups', 'listGroups', 'getDomains'],
    timeouts,
    tls,
  });
  const stats = connectRpc(StatsServiceService, {
    address: addresses.stats,
    name: 'The stats service',
    // Statistics may read for seconds: they have the time of a write, and fail rather than be read twice.
    idempotent: [],
    timeouts,
    tls,
  });
  return {
    tenant,
    link,
    domain,
    stats,
    close() {
      for (const client of [tenant, link, domain, stats]) client.close();
    },
  };
}
