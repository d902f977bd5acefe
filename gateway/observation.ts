import type { ApolloServerPlugin } from '@apollo/server';
import { Counter, Histogram } from 'prom-client';
import type { Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import type { Arrival } from './arrival.js';
import type { GatewayContext } from './context.js';

/** ok; denied: 401 and FORBIDDEN; refused: what the caller asked can't be; failed: what we could not do. */
type Outcome = 'ok' | 'denied' | 'refused' | 'failed';

const FAILED = ['INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED'];
const DENIED = ['UNAUTHENTICATED', 'FORBIDDEN'];
/** A name comes from the caller: as much of it as helps. */
const NAME_CHARACTERS = 100;

/** Counts and logs requests. */
export class Observation {
  readonly #log: Log;
  readonly #requests: Counter<'operation_type' | 'outcome'>;
  readonly #seconds: Histogram<'operation_type'>;

  constructor(log: Log, { registry }: Metrics) {
    this.#log = log;
    this.#requests = new Counter({
      name: 'graphql_requests_total',
      help: 'Requests to the GraphQL API; problems of a mutation count as ok.',
      labelNames: ['operation_type', 'outcome'],
      registers: [registry],
    });
    this.#seconds = new Histogram({
      name: 'graphql_request_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      labelNames: ['operation_type'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
  }

  /** Writes into the arrival what only the document and its answer tell. */
  plugin(): ApolloServerPlugin<GatewayContext> {
    return {
      async requestDidStart() {
        return {
          async willSendResponse({ operation, operationName, contextValue: { arrival }, response }) {
            if (operation && operation.operation !== 'subscription') arrival.operationType = operation.operation;
            arrival.operationName = operationName?.slice(0, NAME_CHARACTERS);
            const errors = response.body.kind === 'single' ? response.body.singleResult.errors : undefined;
            arrival.codes = [...new Set(errors?.map((error) => String(error.extensions?.code)))];
          },
        };
      },
    };
  }

  /** @param seconds since the arrival */
  answered(arrival: Arrival, status: number, seconds: number): void {
    const { traceId, clientIp, operationType, operationName, tenantId, actorId, codes } = arrival;
    const outcome = outcomeOf(codes, status);
    this.#requests.inc({ operation_type: operationType, outcome });
    this.#seconds.observe({ operation_type: operationType }, seconds);
    const millis = Math.round(seconds * 1000);
    this.#log.info(
      { traceId, tenantId, actorId, clientIp, operationType, operationName, outcome, codes, status, millis },
      'request',
    );
  }
}

function outcomeOf(codes: readonly string[], status: number): Outcome {
  if (status >= 500 || codes.some((code) => FAILED.includes(code))) return 'failed';
  if (status === 401 || codes.some((code) => DENIED.includes(code))) return 'denied';
  return status >= 400 || codes.length > 0 ? 'refused' : 'ok';
}
