import { DEFAULT_GROUP_NAME } from '../../model/first-tenant.js';
import { AppError } from '../../runtime/app-error.js';
import { ulid } from '../../runtime/ulid.js';
import type { Domain, DomainGroup, DomainStore } from './store.js';

/** Characters of a generated code where a group says nothing else (C-1). */
const CODE_LENGTH = 8;
const MAX_HOSTS = 500;
const MAX_LOOKUPS = 100;

/** A group with the domain that new links are shown with. */
export interface GroupView {
  group: DomainGroup;
  recommended: Domain | undefined;
}

export class Domains {
  readonly #store: DomainStore;

  constructor(store: DomainStore) {
    this.#store = store;
  }

  /**
   * The tenant's default group with a domain at this origin. Called at each start: a changed port changes the origin of
   * the domain's short URLs, nothing else.
   */
  async ensureDefault(tenantId: string, origin: string): Promise<void> {
    const group = await this.#ensureDefaultGroup(tenantId);
    const { hostname } = new URL(origin);
    const known = await this.#store.domainByHostname(hostname);
    if (!known) await this.addDomain(group, { hostname, origin, kind: 'PLATFORM' });
    else if (known.origin !== origin) await this.#store.setOrigin(known.id, origin);
  }

  async #ensureDefaultGroup(tenantId: string): Promise<DomainGroup> {
    for (;;) {
      const found = await this.#store.defaultGroup(tenantId);
      if (found) return found;
      await this.#store.insertGroup({
        id: `grp_${ulid()}`,
        tenantId,
        name: DEFAULT_GROUP_NAME,
        isDefault: true,
        version: 1,
        codeCase: 'SENSITIVE',
        codeLength: CODE_LENGTH,
      });
    }
  }

  /** Registers a host with a group; it is served as soon as the pods have heard of it. False when it is taken. */
  async addDomain(group: DomainGroup, given: Pick<Domain, 'hostname' | 'origin' | 'kind'>): Promise<boolean> {
    const id = `dom_${ulid()}`;
    const { id: groupId, tenantId } = group;
    const domain: Domain = { id, tenantId, groupId, ...given, state: 'ACTIVE', stateSince: new Date() };
    return this.#store.insertDomain(domain, group, {
      type: 'domain.created',
      tenantId,
      objectId: id,
      rev: 1,
      actor: { id: 'domain', kind: 'SYSTEM', name: 'domain' },
      traceId: '',
      subjects: [`inv.host.${id}`, `evt.${tenantId}.domain.created`],
      audit: { action: 'domain.created', object: id, after: { ...given }, source: 'JOB', clientIp: '' },
    });
  }

  /** The empty name stands for the default group. */
  async groups(tenantId: string, ids: readonly string[], names: readonly string[]): Promise<GroupView[]> {
    if (ids.length + names.length > MAX_LOOKUPS) throw outOfRange('ids', `At most ${MAX_LOOKUPS} groups in one call.`);
    const wanted = names.map((name) => name || DEFAULT_GROUP_NAME);
    return this.#view(await this.#store.groups(tenantId, ids, wanted));
  }

  /** @throws AppError INVALID_ARGUMENT for a page size outside 1 to 100 */
  async groupsAfter(tenantId: string, afterId: string, first: number): Promise<{ groups: GroupView[]; more: boolean }> {
    if (first < 1 || first > 100) throw outOfRange('first', 'first must be 1 to 100.');
    const found = await this.#store.groupsAfter(tenantId, afterId, first + 1);
    return { groups: await this.#view(found.slice(0, first)), more: found.length > first };
  }

  async domains(tenantId: string, ids: readonly string[], hostnames: readonly string[]): Promise<Domain[]> {
    const asked = ids.length + hostnames.length;
    if (asked > MAX_LOOKUPS) throw outOfRange('ids', `At most ${MAX_LOOKUPS} domains in one call.`);
    return this.#store.domains(tenantId, ids, hostnames);
  }

  async ownHosts(hostnames: readonly string[]): Promise<string[]> {
    if (hostnames.length > MAX_HOSTS) throw outOfRange('hostnames', `At most ${MAX_HOSTS} hosts in one call.`);
    return this.#store.ownHosts(hostnames);
  }

  async ownOrigins(origins: readonly string[]): Promise<string[]> {
    if (origins.length > MAX_HOSTS) throw outOfRange('origins', `At most ${MAX_HOSTS} origins in one call.`);
    return origins.length === 0 ? [] : this.#store.ownOrigins(origins);
  }

  async #view(groups: readonly DomainGroup[]): Promise<GroupView[]> {
    const domains = await this.#store.domainsOfGroups(groups.map((group) => group.id));
    return groups.map((group) => ({
      group,
      // The oldest: the one that a group's links have always been shown with.
      recommended: domains.filter((domain) => domain.groupId === group.id).sort((a, b) => (a.id < b.id ? -1 : 1))[0],
    }));
  }
}

function outOfRange(field: string, message: string): AppError {
  return new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path: [field] });
}
