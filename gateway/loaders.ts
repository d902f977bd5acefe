import DataLoader from 'dataloader';
import type { Domain, DomainGroup } from '../gen/proto/waypost/domain/v1/domain_service.js';
import type { Link } from '../gen/proto/waypost/link/v1/link_service.js';
import type { Tenant } from '../gen/proto/waypost/tenant/v1/tenant_service.js';
import type { CallFor } from '../runtime/rpc-client.js';
import type { Services } from './services.js';

type Found<T> = DataLoader<string, T | undefined>;

/** Look-ups that one request shares: each object is asked for once, and those asked for together go in one call. */
export interface Loaders {
  link: Found<Link>;
  group: Found<DomainGroup>;
  groupByName: Found<DomainGroup>;
  domain: Found<Domain>;
  tenant(): Promise<Tenant | undefined>;
}

const BATCH_MAX = 100;
/** A link takes up to 55 KB, a message holds 1 MiB. */
const LINK_BATCH_MAX = 16;

/** For one request and no longer: what it holds is what one caller may see (G18). */
export function createLoaders({ link, domain, tenant }: Services, caller: CallFor): Loaders {
  let ownTenant: Promise<Tenant | undefined> | undefined;
  return {
    link: batched(
      async (ids) => (await link.call('getLinks', { ids }, caller)).links,
      (each) => each.id,
      LINK_BATCH_MAX,
    ),
    group: batched(
      async (ids) => (await domain.call('getGroups', { ids, names: [] }, caller)).groups,
      (each) => each.id,
    ),
    groupByName: batched(
      async (names) => (await domain.call('getGroups', { ids: [], names }, caller)).groups,
      (each) => each.name,
    ),
    domain: batched(
      async (ids) => (await domain.call('getDomains', { ids, hostnames: [] }, caller)).domains,
      (each) => each.id,
    ),
    tenant() {
      ownTenant ??= tenant.call('getTenant', {}, caller).then((answer) => answer.tenant);
      return ownTenant;
    },
  };
}

/** Services leave out what they don't find, and keep no order. */
function batched<T>(
  find: (keys: string[]) => Promise<T[]>,
  keyOf: (each: T) => string,
  maxBatchSize = BATCH_MAX,
): Found<T> {
  return new DataLoader<string, T | undefined>(
    async (keys) => {
      const found = new Map((await find([...keys])).map((each) => [keyOf(each), each]));
      return keys.map((key) => found.get(key));
    },
    { maxBatchSize },
  );
}
