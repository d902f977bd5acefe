import { GraphQLError } from 'graphql';
import type { AppError, ErrorKind } from './app-error.js';

/**
 * Translation table 2 of 3: GraphQL. `problem`: a failure that the caller can mend by changing the request; it goes
 * into a payload's `problems`. The rest is thrown with its code in `extensions` and, where nothing else of the
 * request can succeed, an HTTP status.
 */
const GRAPHQL: Record<ErrorKind, { problem: boolean; http?: number }> = {
  INVALID_ARGUMENT: { problem: true },
  UNAUTHENTICATED: { problem: false, http: 401 },
  FORBIDDEN: { problem: false },
  NOT_FOUND: { problem: true },
  CONFLICT: { problem: true },
  RESOURCE_EXHAUSTED: { problem: true },
  UNAVAILABLE: { problem: false },
  DEADLINE_EXCEEDED: { problem: false },
  INTERNAL: { problem: false },
};

export function isProblem(error: AppError): boolean {
  return GRAPHQL[error.kind].problem;
}

/** The public form of a failure that is thrown. INTERNAL never gets here with its own text: the gateway masks it. */
export function toGraphQLError(error: AppError): GraphQLError {
  const [first] = error.problems;
  const http = GRAPHQL[error.kind].http;
  return new GraphQLError(error.message, {
    originalError: error,
    extensions: {
      code: error.code,
      ...(first?.path ? { argumentPath: first.path } : {}),
      ...(first?.details ? { details: first.details } : {}),
      ...(error.kind === 'UNAVAILABLE' ? { retryAfterSeconds: 2 } : {}),
      ...(http ? { http: { status: http } } : {}),
    },
  });
}
