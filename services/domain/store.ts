import type { ClientSession, Collection } from 'mongodb';
import type { HostEntry } from '../../model/host.js';
import type { Mongo } from '../../runtime/mongo.js';
import { duplicateKey } from '../../runtime/mongo-fault.js';
import { type Outbox, type OutboxRow, outboxRow } from '../../runtime/outbox.js';

export interface DomainGroup {
  id: string;
  tenantId: string;
  name: string;
  isDefault: boolean;
  version: number;
  codeCase: 'SENSITIVE' | 'FOLDED';
  codeLength: number;
}

export interface Domain {
  id: string;
  tenantId: string;
  groupId: string;
  /** Unique on the platform. */
  hostname: string;
  /** Scheme, host and port of short URLs. */
  origin: string;
  kind: 'PLATFORM' | 'BUSINESS' | 'CUSTOM';
  state: 'ACTIVE';
  stateSince: Date;
}

type Stored<T extends { id: string }> = Omit<T, 'id'> & { _id: string };
/** The registry that redirect pods read (decisions 23): one document for each host that is served. */
type HostDocument = Omit<HostEntry, 'hostname'> & { _id: string; changedAt: Date };

export class DomainStore {
  readonly #mongo: Mongo;
  readonly #outbox: Outbox;
  readonly #groups: Collection<Stored<DomainGroup>>;
  readonly #domains: Collection<Stored<Domain>>;
  readonly #hosts: Collection<HostDocument>;

  constructor(mongo: Mongo, outbox: Outbox) {
    this.#mongo = mongo;
    this.#outbox = outbox;
    this.#groups = mongo.db.collection('domain_groups');
    this.#domains = mongo.db.collection('domains');
    this.#hosts = mongo.db.collection('hosts');
  }

  async ensureIndexes(): Promise<void> {
    await this.#groups.createIndex({ tenantId: 1, name: 1 }, { unique: true });
    await this.#domains.createIndex({ hostname: 1 }, { unique: true });
    await this.#domains.createIndex({ groupId: 1 });
    await this.#domains.createIndex({ origin: 1 });
    await this.#hosts.createIndex({ changedAt: 1 });
    await this.#outbox.ensureIndexes();
  }

  /** The tenant's groups with these ids or names. */
  async groups(tenantId: string, ids: readonly string[], names: readonly string[]): Promise<DomainGroup[]> {
    const named = { $or: [{ _id: { $in: [...ids] } }, { name: { $in: [...names] } }] };
    return (await this.#groups.find({ tenantId: { $eq: tenantId }, ...named }).toArray()).map(withId);
  }

  async groupsAfter(tenantId: string, afterId: string, limit: number): Promise<DomainGroup[]> {
    const page = this.#groups.find({ tenantId: { $eq: tenantId }, _id: { $gt: afterId } });
    return (await page.sort({ _id: 1 }).limit(limit).toArray()).map(withId);
  }

  async defaultGroup(tenantId: string): Promise<DomainGroup | undefined> {
    const found = await this.#groups.findOne({ tenantId: { $eq: tenantId }, isDefault: true });
    return found ? withId(found) : undefined;
  }

  /** False when the tenant has a group of this name already. */
  async insertGroup(group: DomainGroup): Promise<boolean> {
    const { id, ...rest } = group;
    try {
      await this.#groups.insertOne({ _id: id, ...rest });
      return true;
    } catch (error) {
      if (duplicateKey(error)) return false;
      throw error;
    }
  }

  async domains(tenantId: string, ids: readonly string[], hostnames: readonly string[]): Promise<Domain[]> {
    const named = { $or: [{ _id: { $in: [...ids] } }, { hostname: { $in: [...hostnames] } }] };
    const found = this.#domains.find({ tenantId: { $eq: tenantId }, ...named });
    return (await found.toArray()).map(withId);
  }

  async domainsOfGroups(groupIds: readonly string[]): Promise<Domain[]> {
    return (await this.#domains.find({ groupId: { $in: [...groupIds] } }).toArray()).map(withId);
  }

  async domainByHostname(hostname: string): Promise<Domain | undefined> {
    const found = await this.#domains.findOne({ hostname: { $eq: hostname } });
    return found ? withId(found) : undefined;
  }

  /** A domain that is served, its registry entry and its event, together. False when the host is registered already. */
  async insertDomain(
    domain: Domain,
    group: DomainGroup,
    event: Omit<OutboxRow, '_id' | 'at' | 'pending'>,
  ): Promise<boolean> {
    const { id, ...rest } = domain;
    const row = outboxRow(event, this.#outbox.effects);
    const host: HostDocument = {
      _id: domain.hostname,
      domainId: id,
      tenantId: domain.tenantId,
      groupId: domain.groupId,
      codeCase: group.codeCase,
      rev: event.rev,
      changedAt: new Date(),
    };
    try {
      await this.#mongo.transaction(async (session: ClientSession) => {
        await this.#domains.insertOne({ _id: id, ...rest }, { session });
        await this.#hosts.insertOne(host, { session });
        await this.#outbox.insert([row], session);
      });
    } catch (error) {
      if (duplicateKey(error)) return false;
      throw error;
    }
    void this.#outbox.deliverSoon([row]);
    return true;
  }

  async setOrigin(domainId: string, origin: string): Promise<void> {
    await this.#domains.updateOne({ _id: domainId }, { $set: { origin } });
  }

  /** Which of these are where short URLs of ours begin. */
  async ownOrigins(origins: readonly string[]): Promise<string[]> {
    const found = this.#domains.find({ origin: { $in: [...origins] } }, { projection: { origin: 1 } });
    return (await found.toArray()).map((domain) => domain.origin);
  }

  /** Which of these hosts are ours, whoever owns them. */
  async ownHosts(hostnames: readonly string[]): Promise<string[]> {
    const found = this.#hosts.find({ _id: { $in: [...hostnames] } }, { projection: { _id: 1 } });
    return (await found.toArray()).map((host) => host._id);
  }
}

function withId<D extends { _id: string }>({ _id, ...rest }: D): Omit<D, '_id'> & { id: string } {
  return { id: _id, ...rest };
}
