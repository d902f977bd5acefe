import { Binary, type Collection } from 'mongodb';
import type { Mongo } from '../../runtime/mongo.js';
import { duplicateKey } from '../../runtime/mongo-fault.js';

export interface Tenant {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** Policies are immutable for each version (decisions 20). */
  policyVersion: number;
  createdAt: Date;
}

export interface ApiKey {
  id: string;
  tenantId: string;
  name: string;
  /** SHA-256 of the whole key: the key itself is nowhere. */
  sha256: Buffer;
  scopes: string[];
  createdAt: Date;
}

type TenantDocument = Omit<Tenant, 'id'> & { _id: string };
type ApiKeyDocument = Omit<ApiKey, 'id' | 'sha256'> & { _id: string; sha256: Binary };

export class TenantStore {
  readonly #mongo: Mongo;
  readonly #tenants: Collection<TenantDocument>;
  readonly #keys: Collection<ApiKeyDocument>;

  constructor(mongo: Mongo) {
    this.#mongo = mongo;
    this.#tenants = mongo.db.collection('tenants');
    this.#keys = mongo.db.collection('api_keys');
  }

  async ensureIndexes(): Promise<void> {
    await this.#keys.createIndex({ sha256: 1 }, { unique: true });
  }

  async tenant(id: string): Promise<Tenant | undefined> {
    const found = await this.#tenants.findOne({ _id: { $eq: id } });
    if (!found) return undefined;
    const { _id, ...rest } = found;
    return { id: _id, ...rest };
  }

  async keyBySha256(sha256: Buffer): Promise<ApiKey | undefined> {
    const found = await this.#keys.findOne({ sha256: { $eq: new Binary(sha256) } });
    if (!found) return undefined;
    const { _id, sha256: stored, ...rest } = found;
    return { id: _id, sha256: Buffer.from(stored.buffer), ...rest };
  }

  /** Both or neither; false when the tenant exists already, whatever its keys. */
  async insertTenant(tenant: Tenant, key: ApiKey): Promise<boolean> {
    const { id, ...rest } = tenant;
    const { id: keyId, sha256, ...keyRest } = key;
    try {
      await this.#mongo.transaction(async (session) => {
        await this.#tenants.insertOne({ _id: id, ...rest }, { session });
        await this.#keys.insertOne({ _id: keyId, sha256: new Binary(sha256), ...keyRest }, { session });
      });
      return true;
    } catch (error) {
      if (duplicateKey(error)) return false;
      throw error;
    }
  }
}
