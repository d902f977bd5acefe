import { randomUUID } from 'node:crypto';
import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../model/errors.js';
import { type AppError, isAppError } from '../runtime/app-error.js';
import { toGraphQLError } from '../runtime/error-graphql.js';
import { HTTP_STATUS } from '../runtime/error-http.js';
import type { Log } from '../runtime/log.js';
import type { GatewayContext } from './context.js';

/** Codes that graphql-js and Apollo give, besides those of model/errors.ts. */
export type TransportCode = ErrorCode;

/** An answer outside of GraphQL in the same form as one within. */
export function failureBody(code: TransportCode, message: string, details?: Record<string, unknown>) {
  return { errors: [{ message, extensions: { code, ...details } }] };
}

/** A failure that leaves nothing of the request to execute: its kind decides the HTTP status too. */
export function wholeRequestFailure(error: AppError): GraphQLError {
  const { message, extensions } = toGraphQLError(error);
  return new GraphQLError(message, {
    originalError: error,
    extensions: { ...extensions, http: { status: HTTP_STATUS[error.kind] } },
  });
}

/**
 * Decides what of an error a caller sees. A failure of ours shows nothing but an id, under which the log has the cause
 * (security.md fact 7).
 */
export class Failures {
  readonly #log: Log;
  /** Ids of failures that the plugin has logged with their request; the formatter, which sees no request, is next. */
  readonly #ids = new WeakMap<object, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Logs failures of ours with the trace of their request. */
  plugin(): ApolloServerPlugin<GatewayContext> {
    const note = (errors: readonly GraphQLError[], context: GatewayContext): void => {
      for (const error of errors) if (!shown(error)) this.#note(error, context.arrival.traceId);
    };
    return {
      async requestDidStart() {
        return { didEncounterErrors: async ({ errors, contextValue }) => note(errors, contextValue) };
      },
    };
  }

  /** The last step of every error, for `formatError`. */
  format(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const { locations, path } = formatted;
    const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
    const { message, extensions } = shown(error) ?? this.#hidden(error);
    return { message, ...place, extensions };
  }

  #hidden(error: unknown): Shown {
    const errorId = (isObject(error) && this.#ids.get(error)) || this.#note(error);
    return { message: 'Internal error.', extensions: { code: 'INTERNAL', errorId } };
  }

  /** Logs a failure of ours and answers its id. */
  #note(error: unknown, traceId?: string): string {
    const errorId = randomUUID();
    if (isObject(error)) this.#ids.set(error, errorId);
    const path = error instanceof GraphQLError ? error.path?.join('.') : undefined;
    this.#log.error({ err: rootOf(error), errorId, traceId, path }, 'request failed');
    return errorId;
  }

  /** The answer to a failure of the server around GraphQL. */
  unforeseen(error: unknown, traceId: string) {
    return failureBody('INTERNAL', 'Internal error.', { errorId: this.#note(error, traceId) });
  }
}

interface Shown {
  message: string;
  extensions: Record<string, unknown>;
}

/** The public form; undefined for a failure of ours. */
function shown(error: unknown): Shown | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { http: _, ...extensions } = error.extensions;
  if (extensions.code) return extensions.code === 'INTERNAL' ? undefined : refined(error, extensions);
  const cause = error.originalError;
  if (isAppError(cause)) return fromService(cause);
  // graphql-js on the request itself: without a path before execution, else with the node of the argument at fault.
  const aboutRequest = cause === undefined ? !error.path : cause instanceof GraphQLError && cause.nodes !== undefined;
  return aboutRequest ? refined(error, { ...extensions, code: 'BAD_USER_INPUT' }) : undefined;
}

/** What a resolver threw. A service that does not take our signature is our failure: shield has let the caller in. */
function fromService(error: AppError): Shown | undefined {
  if (error.kind === 'INTERNAL' || error.kind === 'UNAUTHENTICATED') return undefined;
  const { message, extensions } = toGraphQLError(error);
  return { message, extensions };
}

/** Apollo puts its own code over that of our limits, and graphql-js adds what schema names come near (G3). */
function refined(error: GraphQLError, extensions: Record<string, unknown>): Shown {
  const own = error.originalError instanceof GraphQLError ? error.originalError.extensions.code : undefined;
  if (extensions.validationErrorCode === 'INTROSPECTION_DISABLED') {
    return { message: 'Introspection is off. The schema is published as SDL.', extensions: { code: extensions.code } };
  }
  const tooLong = /^Syntax Error: Document contains more tha\w \d+ tokens/.test(error.message);
  const code = own ?? (tooLong ? 'QUERY_TOO_COMPLEX' : extensions.code);
  return { message: error.message.replace(/ ?Did you mean .*\?$/s, ''), extensions: { ...extensions, code } };
}

/** The error at the bottom of what graphql-js and Apollo have wrapped around it. */
function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
