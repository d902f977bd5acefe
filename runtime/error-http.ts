import type { ErrorKind } from './app-error.js';

/** Translation table 3 of 3: HTTP, for answers outside GraphQL. */
export const HTTP_STATUS: Record<ErrorKind, number> = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
  INTERNAL: 500,
};
