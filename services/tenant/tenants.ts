import { createHash } from 'node:crypto';
import { FIRST_TENANT_ID } from '../../model/first-tenant.js';
import { AppError } from '../../runtime/app-error.js';
import { ulid } from '../../runtime/ulid.js';
import type { ApiKey, Tenant, TenantStore } from './store.js';

/** Roles of the key that the first start makes: owner of its tenant, and operator of the platform. */
const FIRST_SCOPES = ['OWNER', 'OPERATOR'];

export class Tenants {
  readonly #store: TenantStore;

  constructor(store: TenantStore) {
    this.#store = store;
  }

  /** Makes the first tenant with this key. False when it exists: a later key is not added. */
  async bootstrap(key: string): Promise<boolean> {
    const createdAt = new Date();
    const tenant: Tenant = { id: FIRST_TENANT_ID, name: 'First tenant', status: 'ACTIVE', policyVersion: 1, createdAt };
    return this.#store.insertTenant(tenant, {
      id: `key_${ulid()}`,
      tenantId: tenant.id,
      name: 'bootstrap',
      sha256: createHash('sha256').update(key).digest(),
      scopes: FIRST_SCOPES,
      createdAt,
    });
  }

  /** @throws AppError UNAUTHENTICATED, the same for every cause */
  async authenticate(sha256: Buffer): Promise<{ key: ApiKey; tenant: Tenant }> {
    const key = sha256.length === 32 ? await this.#store.keyBySha256(sha256) : undefined;
    const tenant = key && (await this.#store.tenant(key.tenantId));
    if (!key || tenant?.status !== 'ACTIVE') {
      const message = 'The credential is not valid. Send `Authorization: Bearer <API key>`.';
      throw new AppError('UNAUTHENTICATED', { code: 'UNAUTHENTICATED', message });
    }
    return { key, tenant };
  }

  /** @throws AppError NOT_FOUND */
  async tenant(id: string): Promise<Tenant> {
    const tenant = await this.#store.tenant(id);
    if (!tenant) throw new AppError('NOT_FOUND', { code: 'NOT_FOUND', message: 'There is no such tenant.' });
    return tenant;
  }
}
