import DataLoader from 'dataloader';
import type { Domain, DomainGroup } from '../gen/proto/waypost/domain/v1/domain_service.js';
import type { Link } from '../gen/proto/waypost/link/v1/link_service.js';
import type { ClickTotals as TotalsMessage } from '../gen/proto/waypost/stats/v1/stats_service.js';
import type { Tenant } from '../gen/proto/waypost/tenant/v1/tenant_service.js';
import type { CallFor } from '../runtime/rpc-client.js';
import type { Services } from './services.js';
import type { TimeRange } from './time-range.js';

/** With the moment up to which they are complete. */
export type ClickTotals = TotalsMessage & { asOf: Date };

type Found<T> = DataLoader<string, T | undefined>;

/** Look-ups that one request shares: each object is asked for once, and those asked for together go in one call. */
export interface Loaders {
  /** Milliseconds since 1970: what "now" means to every part of the request. */
  now: number;
  link: Found<Link>;
  group: Found<DomainGroup>;
  groupByName: Found<DomainGroup>;
  domain: Found<Domain>;
  /** Clicks of links over one range; those of one range go together. */
  clicks(range: TimeRange): Found<ClickTotals>;
  tenant(): Promise<Tenant | undefined>;
}

const BATCH_MAX = 100;
/** A link takes up to 55 KB, a message holds 1 MiB. */
const LINK_BATCH_MAX = 16;

/** For one request and no longer: what it holds is what one caller may see (G18). */
export function createLoaders({ link, domain, tenant, stats }: Services, caller: CallFor): Loaders {
  const clicks = new Map<string, Found<ClickTotals>>();
  let ownTenant: Promise<Tenant | undefined> | undefined;
  return {
    now: Date.now(),
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
    clicks(range) {
      const key = `${range.from}-${range.to}`;
      const known =
        clicks.get(key) ??
        batched(
          (linkIds) => clickTotals(stats, linkIds, range, caller),
          (each) => each.linkId,
        );
      clicks.set(key, known);
      return known;
    },
    tenant() {
      ownTenant ??= tenant.call('getTenant', {}, caller).then((answer) => answer.tenant);
      return ownTenant;
    },
  };
}

async function clickTotals(
  stats: Services['stats'],
  linkIds: string[],
  { from, to }: TimeRange,
  caller: CallFor,
): Promise<ClickTotals[]> {
  const span = {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
  const { totals, asOf } = await stats.call('getClickTotals', { linkIds, ...span }, caller);
  return totals.map((each) => ({ ...each, asOf: asOf ?? new Date(0) }));
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
