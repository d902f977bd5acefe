import type { FastifyRequest } from 'fastify';
import { isAppError } from '../runtime/app-error.js';
import type { DerivedKey } from '../runtime/keys.js';
import type { CallFor } from '../runtime/rpc-client.js';
import { signContext } from '../runtime/rpc-context.js';
import { type Arrival, headerValues } from './arrival.js';
import type { Authenticator, Identity } from './authentication.js';
import { wholeRequestFailure } from './failures.js';
import { createLoaders, type Loaders } from './loaders.js';
import type { Services } from './services.js';

/** What resolvers know of the request that they work for. */
export interface GatewayContext {
  /** Undefined without a valid credential; the permission of each field decides what that means. */
  identity: Identity | undefined;
  /** What each call to a service needs. */
  caller: CallFor;
  services: Services;
  loaders: Loaders;
  arrival: Arrival;
  /** The HTTP header; `idempotency-key.ts` says when it counts. */
  idempotencyHeader: string | undefined;
}

export interface ContextParts {
  services: Services;
  authenticator: Authenticator;
  keys: readonly DerivedKey[];
}

/** Makes the context of a request: its credential, the signed context for the services, its loaders. */
export async function contextOf(request: FastifyRequest, parts: ContextParts): Promise<GatewayContext> {
  const { services, authenticator, keys } = parts;
  const { arrival } = request;
  const identity = await authenticator
    .identify(headerValues(request.raw, 'authorization'), arrival)
    .catch((error: unknown) => {
      throw isAppError(error) ? wholeRequestFailure(error) : error;
    });
  arrival.tenantId = identity?.tenantId;
  arrival.actorId = identity?.actor.id;
  const { clientIp, traceId, deadline } = arrival;
  // Without an identity the token is empty: should a permission have a hole, the services still refuse the call.
  const token = identity ? signContext({ ...identity, clientIp, traceId, source: 'API' }, keys) : Buffer.alloc(0);
  const caller = { token, deadline };
  return {
    identity,
    caller,
    services,
    loaders: createLoaders(services, caller),
    arrival,
    idempotencyHeader: headerValues(request.raw, 'idempotency-key').join(', ') || undefined,
  };
}
