import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../runtime/client-address.js';
import { REQUEST_MS } from './limits.js';
import { traceIdOf } from './trace.js';

/** What is known of a request before it is read, and what its log line will say of it. */
export interface Arrival {
  readonly traceId: string;
  readonly clientIp: string;
  /** Milliseconds since 1970: every call made for this request ends by then. */
  readonly deadline: number;
  /** `none` until a document has named one. */
  operationType: 'query' | 'mutation' | 'none';
  operationName: string | undefined;
  tenantId: string | undefined;
  actorId: string | undefined;
  /** Codes of the answer's `errors`. */
  codes: string[];
}

export function arrivalOf(request: IncomingMessage, clients: ClientAddress): Arrival {
  const { traceparent } = request.headers;
  return {
    traceId: traceIdOf(typeof traceparent === 'string' ? traceparent : undefined),
    clientIp: clients.of(request.socket.remoteAddress ?? '', headerValues(request, 'x-forwarded-for')),
    deadline: Date.now() + REQUEST_MS,
    operationType: 'none',
    operationName: undefined,
    tenantId: undefined,
    actorId: undefined,
    codes: [],
  };
}

/** Every value of a header, also of one of which Node keeps only the first. */
export function headerValues(request: IncomingMessage, name: string): readonly string[] {
  return request.headersDistinct[name] ?? [];
}
