import type { Binary, ClientSession, Collection, Db, Long } from 'mongodb';

/** A value that one tenant may use once, by a unique `_id`, written in the transaction that uses it (decisions 4). */
export interface Claim {
  _id: string;
  linkId: Long;
  /** Of the request, for idempotency keys. */
  digest?: Binary;
  /** MongoDB removes it then; absent for those that last as long as the link. */
  expiresAt?: Date;
}

const IDEMPOTENCY_DAYS = 7;

export class Claims {
  readonly #claims: Collection<Claim>;

  constructor(db: Db) {
    this.#claims = db.collection('claims');
  }

  async ensureIndexes(): Promise<void> {
    await this.#claims.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  }

  find(id: string): Promise<Claim | null> {
    return this.#claims.findOne({ _id: { $eq: id } });
  }

  async insert(claims: readonly Claim[], session: ClientSession): Promise<void> {
    if (claims.length > 0) await this.#claims.insertMany([...claims], { session });
  }

  async remove(id: string, session: ClientSession): Promise<void> {
    await this.#claims.deleteOne({ _id: { $eq: id } }, { session });
  }
}

export function idempotencyClaim(tenantId: string, key: string): string {
  return `idem:${tenantId}:${key}`;
}

export function externalIdClaim(tenantId: string, externalId: string): string {
  return `ext:${tenantId}:${externalId}`;
}

export function idempotencyEnds(now: Date): Date {
  return new Date(now.getTime() + IDEMPOTENCY_DAYS * 86_400_000);
}
