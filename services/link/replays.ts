import { createHash } from 'node:crypto';
import { AppError } from '../../runtime/app-error.js';
import type { Link } from './link.js';
import { type Claim, idempotencyClaim } from './store/claims.js';
import type { Idempotency, LinkStore } from './store.js';

const KEY_MAX = 255;

/** Requests that were made before under the same idempotency key (L-2). */
export class Replays {
  readonly #store: LinkStore;

  constructor(store: LinkStore) {
    this.#store = store;
  }

  /** Undefined for the empty key. @throws AppError TOO_LONG */
  idempotency(operation: string, request: object, key: string): Idempotency | undefined {
    if (key === '') return undefined;
    if (key.length > KEY_MAX) {
      const message = `idempotencyKey has ${key.length} characters; at most ${KEY_MAX} are allowed.`;
      throw new AppError('INVALID_ARGUMENT', { code: 'TOO_LONG', message, path: ['idempotencyKey'] });
    }
    // Messages are decoded with their fields in one order, so equal requests have equal text.
    const digest = createHash('sha256').update(operation).update(JSON.stringify(request)).digest();
    return { key, digest };
  }

  /** The link of an earlier request under this key. @throws AppError IDEMPOTENCY_MISMATCH for another request */
  async find(tenantId: string, idempotency: Idempotency | undefined): Promise<Link | undefined> {
    const claim = idempotency && (await this.#store.claims.find(idempotencyClaim(tenantId, idempotency.key)));
    return claim ? this.#linkOf(tenantId, claim, idempotency.digest) : undefined;
  }

  /** After an insert that met the key: it must be there. */
  async replay(tenantId: string, idempotency: Idempotency | undefined): Promise<{ link: Link; replayed: true }> {
    const link = await this.find(tenantId, idempotency);
    if (!link) throw new Error('a claim was met but is gone');
    return { link, replayed: true };
  }

  async #linkOf(tenantId: string, claim: Claim, digest: Buffer): Promise<Link> {
    if (!claim.digest || !digest.equals(claim.digest.buffer)) {
      const message = 'This idempotencyKey was used for another request. Use a new key for a new request.';
      throw new AppError('CONFLICT', { code: 'IDEMPOTENCY_MISMATCH', message, path: ['idempotencyKey'] });
    }
    const [link] = await this.#store.links(tenantId, [claim.linkId.toBigInt()]);
    if (link) return link;
    const message = 'The link that this idempotencyKey made is gone.';
    throw new AppError('NOT_FOUND', { code: 'NOT_FOUND', message, path: ['idempotencyKey'] });
  }
}
