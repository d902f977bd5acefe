import { LRUCache } from 'lru-cache';
import { CodeCase, type DomainServiceService } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import { AppError, unavailable } from '../../runtime/app-error.js';
import { enumName } from '../../runtime/proto-enum.js';
import type { RpcClient } from '../../runtime/rpc-client.js';
import type { Caller } from '../../runtime/rpc-context.js';

/** What creating or finding a link needs to know of its group. */
export interface Group {
  id: string;
  codeCase: 'SENSITIVE' | 'FOLDED';
  codeLength: number;
  /** The domain that new links are shown with; absent while the group has none. */
  domainId: string | undefined;
  /** Scheme, host and port of that domain's short URLs. */
  origin: string | undefined;
}

interface Place {
  groupId: string;
  /** Scheme, host and port of short URLs. */
  origin: string;
}

type Domains = RpcClient<typeof DomainServiceService>;

/** Short enough to be within every bound, long enough that creates don't ask each time. */
const FRESH_MS = 1_000;

/** Groups and domains as the domain service has them, at most a second old; older while it is away (F-4). */
export class Directory {
  readonly #groupsByName: Kept<Group>;
  readonly #groupsById: Kept<Group>;
  readonly #placesById: Kept<Place>;
  readonly #placesByHost: Kept<Place>;

  constructor(domain: Domains) {
    this.#groupsByName = new Kept((name, caller) => readGroup(domain, { ids: [], names: [name] }, caller));
    this.#groupsById = new Kept((id, caller) => readGroup(domain, { ids: [id], names: [] }, caller));
    this.#placesById = new Kept((id, caller) => readPlace(domain, { ids: [id], hostnames: [] }, caller));
    this.#placesByHost = new Kept((host, caller) => readPlace(domain, { ids: [], hostnames: [host] }, caller));
  }

  /** The empty name stands for the default group. @throws AppError GROUP_NOT_FOUND */
  async group(name: string, caller: Caller): Promise<Group & { domainId: string; origin: string }> {
    const group = await this.#groupsByName.get(name, caller);
    if (group?.domainId && group.origin) return { ...group, domainId: group.domainId, origin: group.origin };
    const message = `There is no domain group "${name}" with a domain. Leave it out for the default group.`;
    throw new AppError('INVALID_ARGUMENT', { code: 'GROUP_NOT_FOUND', message, path: ['domainGroup'] });
  }

  /** The group of the tenant's domain with this host name. */
  async groupOfHost(hostname: string, caller: Caller): Promise<Group | undefined> {
    const place = await this.#placesByHost.get(hostname, caller);
    return place && this.#groupsById.get(place.groupId, caller);
  }

  /** @throws AppError UNAVAILABLE */
  async origin(domainId: string, caller: Caller): Promise<string> {
    const place = await this.#placesById.get(domainId, caller);
    if (!place) throw unavailable('The domain service');
    return place.origin;
  }
}

/** Answers by key for each tenant, with one question at a time for each. */
class Kept<T extends object> {
  readonly #cache: LRUCache<string, T | 'none', { key: string; caller: Caller }>;

  constructor(read: (key: string, caller: Caller) => Promise<T | undefined>) {
    this.#cache = new LRUCache({
      max: 10_000,
      ttl: FRESH_MS,
      noDeleteOnFetchRejection: true,
      allowStaleOnFetchRejection: true,
      fetchMethod: async (_key, _stale, { context: { key, caller } }) => (await read(key, caller)) ?? 'none',
    });
  }

  async get(key: string, caller: Caller): Promise<T | undefined> {
    const found = await this.#cache.fetch(`${caller.tenantId}/${key}`, { context: { key, caller } });
    return found === 'none' ? undefined : found;
  }
}

async function readGroup(
  domain: Domains,
  request: { ids: string[]; names: string[] },
  caller: Caller,
): Promise<Group | undefined> {
  const group = (await domain.call('getGroups', request, caller)).groups[0];
  if (!group) return undefined;
  const { codeCase, codeLength = 8 } = group.codePolicy ?? {};
  const { id: domainId, origin } = group.recommendedDomain ?? {};
  return { id: group.id, codeCase: enumName(CodeCase, codeCase) ?? 'SENSITIVE', codeLength, domainId, origin };
}

async function readPlace(
  domain: Domains,
  request: { ids: string[]; hostnames: string[] },
  caller: Caller,
): Promise<Place | undefined> {
  const found = (await domain.call('getDomains', request, caller)).domains[0];
  return found && { groupId: found.groupId, origin: found.origin };
}
