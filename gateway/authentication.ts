import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ActorKind } from '../gen/proto/waypost/context/v1/context.js';
import type { AuthenticateResponse } from '../gen/proto/waypost/tenant/v1/tenant_service.js';
import { isAppError } from '../runtime/app-error.js';
import type { DerivedKey } from '../runtime/keys.js';
import { type CallerContext, signContext } from '../runtime/rpc-context.js';
import type { Arrival } from './arrival.js';
import { knownName } from './enum.js';
import type { Services } from './services.js';

/** Who a credential stands for. */
export type Identity = Pick<CallerContext, 'tenantId' | 'actor' | 'scopes' | 'policyVersion'>;

/** A revoked key is refused within a second (decisions 19), so nothing is remembered for longer, a refusal neither. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** Turns credentials into identities by asking the tenant service, once a second for each. */
export class Authenticator {
  readonly #tenant: Services['tenant'];
  readonly #keys: readonly DerivedKey[];
  /** Time counts from the moment of asking. Requests that come meanwhile wait for the same answer. */
  readonly #answers: LRUCache<string, Promise<Identity | undefined>>;

  /** @param clock monotonic milliseconds */
  constructor(tenant: Services['tenant'], keys: readonly DerivedKey[], clock: () => number = () => performance.now()) {
    this.#tenant = tenant;
    this.#keys = keys;
    this.#answers = new LRUCache({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS, ttlResolution: 0, perf: { now: clock } });
  }

  /**
   * Undefined for no credential and for any that is not valid now: both meet the same answer.
   * @param authorization values of the header; two are none, as it is unclear which was meant
   * @throws AppError UNAVAILABLE or DEADLINE_EXCEEDED when the tenant service can't tell
   */
  async identify(authorization: readonly string[], arrival: Arrival): Promise<Identity | undefined> {
    const credential =
      authorization.length === 1 ? /^bearer +(\S.*)$/i.exec(authorization[0] as string)?.[1] : undefined;
    if (credential === undefined) return undefined;
    // Node reads header bytes as Latin-1: this is what was sent, so a key may be any text.
    const digest = createHash('sha256').update(Buffer.from(credential, 'latin1')).digest();
    const name = digest.toString('base64');
    const known = this.#answers.get(name);
    if (known) return known;
    const answer = this.#ask(digest, arrival);
    this.#answers.set(name, answer);
    // A failure to ask is no answer: the next request asks again.
    answer.catch(() => this.#answers.delete(name));
    return answer;
  }

  async #ask(credentialSha256: Buffer, { clientIp, traceId, deadline }: Arrival): Promise<Identity | undefined> {
    const token = signContext(
      {
        tenantId: '',
        actor: { id: 'gateway', kind: 'SYSTEM', name: 'gateway' },
        scopes: [],
        policyVersion: 0,
        clientIp,
        traceId,
        source: 'API',
      },
      this.#keys,
    );
    try {
      return toIdentity(await this.#tenant.call('authenticate', { credentialSha256 }, { token, deadline }));
    } catch (error) {
      if (isAppError(error, 'UNAUTHENTICATED')) return undefined;
      throw error;
    }
  }
}

function toIdentity({ tenantId, actor, scopes, policyVersion }: AuthenticateResponse): Identity {
  if (!actor) throw new Error('the tenant service names no actor');
  return { tenantId, actor: { ...actor, kind: knownName(ActorKind, actor.kind) }, scopes, policyVersion };
}
