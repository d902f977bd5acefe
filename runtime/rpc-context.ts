import { createHmac, timingSafeEqual } from 'node:crypto';
import { ActorKind, ChangeSource, Context, SignedContext } from '../gen/proto/waypost/context/v1/context.js';
import { AppError } from './app-error.js';
import type { DerivedKey } from './keys.js';
import { enumName } from './proto-enum.js';

/** Metadata key of the signed context (decisions 19). */
export const CONTEXT_KEY = 'waypost-context-bin';
const LIFETIME_MS = 30_000;

export interface Actor {
  id: string;
  kind: Exclude<keyof typeof ActorKind, 'UNSPECIFIED' | 'UNRECOGNIZED'>;
  name: string;
}

/** Who asks, for whom, from where. Made by the gateway, the same in every service that the request reaches. */
export interface CallerContext {
  /** Empty for a process that acts for no tenant. */
  tenantId: string;
  actor: Actor;
  scopes: string[];
  policyVersion: number;
  clientIp: string;
  traceId: string;
  source: Exclude<keyof typeof ChangeSource, 'UNSPECIFIED' | 'UNRECOGNIZED'>;
}

/** A verified context with what is needed to pass it on. */
export interface Caller extends CallerContext {
  /** The signed form, forwarded unchanged to the next service. */
  token: Buffer;
  /** Milliseconds since 1970: every call made for this one ends by then. */
  deadline: number;
}

export function signContext(context: CallerContext, keys: readonly DerivedKey[], now = Date.now()): Buffer {
  const key = keys[0];
  if (!key) throw new Error('no context key');
  const bytes = Buffer.from(
    Context.encode({
      ...context,
      actor: { ...context.actor, kind: ActorKind[context.actor.kind] },
      source: ChangeSource[context.source],
      expiresAtMs: now + LIFETIME_MS,
    }).finish(),
  );
  const signature = createHmac('sha256', key.secret).update(bytes).digest();
  return Buffer.from(SignedContext.encode({ context: bytes, signature, keyId: key.id }).finish());
}

/** @throws AppError UNAUTHENTICATED for a context that is absent, forged, stale or not readable. */
export function verifyContext(token: Buffer | undefined, keys: readonly DerivedKey[], now = Date.now()): CallerContext {
  if (!token) throw unauthenticated('The call carries no signed context.');
  const signed = decode(token);
  const key = keys.find((candidate) => candidate.id.equals(signed.keyId));
  const expected = key && createHmac('sha256', key.secret).update(signed.context).digest();
  if (!expected || expected.length !== signed.signature.length || !timingSafeEqual(expected, signed.signature)) {
    throw unauthenticated('The signature of the context does not match.');
  }
  const { actor, source, expiresAtMs, ...rest } = Context.decode(signed.context);
  if (expiresAtMs < now) throw unauthenticated('The signed context is older than 30 s.');
  return {
    ...rest,
    actor: { id: actor?.id ?? '', kind: enumName(ActorKind, actor?.kind) ?? 'SYSTEM', name: actor?.name ?? '' },
    source: enumName(ChangeSource, source) ?? 'API',
  };
}

/** The caller's tenant. @throws AppError FORBIDDEN for one that acts for none: no store is asked without (MG-2) */
export function tenantOf({ tenantId }: Pick<CallerContext, 'tenantId'>): string {
  if (tenantId) return tenantId;
  throw new AppError('FORBIDDEN', { code: 'FORBIDDEN', message: 'This call needs a tenant.' });
}

function decode(token: Buffer): SignedContext {
  try {
    return SignedContext.decode(token);
  } catch {
    throw unauthenticated('The signed context is not readable.');
  }
}

function unauthenticated(message: string): AppError {
  return new AppError('UNAUTHENTICATED', { code: 'UNAUTHENTICATED', message });
}
