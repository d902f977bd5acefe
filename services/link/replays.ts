import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, unavailable } from '../../runtime/app-error.js';
import type { Link } from './link.js';
import { type Claim, idempotencyClaim } from './store/claims.js';
import type { Idempotency, LinkStore } from './store.js';

const KEY_MAX = 255;
/** With doubling pauses: 2.5 s in all. */
const RE_READS = 8;

/** Requests that were made before under the same idempotency key (L-2). */
export class Replays {
  readonly #store: LinkStore;

  constructor(store: LinkStore) {
    this.#store = store;
  }

  /**
   * Undefined for the empty key. `request` is the encoded message: a field that only a newer peer knows leaves no trace
   * in it while it is unset. @throws AppError TOO_LONG
   */
  idempotency(operation: string, request: Uint8Array, key: string): Idempotency | undefined {
    if (key === '') return undefined;
    if (key.length > KEY_MAX) {
      const message = `idempotencyKey has ${key.length} characters; at most ${KEY_MAX} are allowed.`;
      const details = { limit: KEY_MAX };
      throw new AppError('INVALID_ARGUMENT', { code: 'TOO_LONG', message, path: ['idempotencyKey'], details });
    }
    const digest = createHash('sha256').update(operation).update(request).digest();
    return { key, digest };
  }

  /** The link of an earlier request under this key. @throws AppError IDEMPOTENCY_MISMATCH for another request */
  async find(tenantId: string, idempotency: Idempotency | undefined): Promise<Link | undefined> {
    const claim = idempotency && (await this.#store.claims.find(idempotencyClaim(tenantId, idempotency.key)));
    return claim ? this.#linkOf(tenantId, claim, idempotency.digest) : undefined;
  }

  /** Marks the key as used by a request that found nothing to change. */
  async keep(link: Link, idempotency: Idempotency | undefined): Promise<void> {
    if (idempotency) await this.#store.claim(link, idempotency);
  }

  /** After a write that met the key. It is there; a majority that lags shows it a little later. */
  async replay(tenantId: string, idempotency: Idempotency | undefined): Promise<{ link: Link; replayed: true }> {
    for (let read = 0; read < RE_READS; read++) {
      const link = await this.find(tenantId, idempotency);
      if (link) return { link, replayed: true };
      await delay(10 * 2 ** read);
    }
    throw unavailable('The database');
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
