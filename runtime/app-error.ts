/**
 * The one error type. It crosses process borders whole (error-grpc.ts) and is shown to callers by one of the two
 * other tables (error-graphql.ts, error-http.ts). What is not an AppError is a fault of ours and shows nothing.
 */
export type ErrorKind =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RESOURCE_EXHAUSTED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'INTERNAL';

/** One failure as a caller sees it. `path` starts at the argument, indices as digits: `['rows', '3', 'targetUrl']`. */
export interface Problem {
  code: string;
  message: string;
  path?: string[];
  details?: Record<string, unknown>;
}

export class AppError extends Error {
  readonly kind: ErrorKind;
  /** Never empty; all of one request's failures, so that a form can show them at once. */
  readonly problems: readonly Problem[];

  constructor(kind: ErrorKind, problems: Problem | readonly Problem[], options?: { cause?: unknown }) {
    const list: readonly Problem[] = Array.isArray(problems) ? problems : [problems as Problem];
    super(list.map((problem) => problem.message).join(' '), options);
    this.name = 'AppError';
    this.kind = kind;
    this.problems = list;
  }

  /** The stable code of the first problem. */
  get code(): string {
    return this.problems[0]?.code ?? 'INTERNAL';
  }
}

/** A dependency that did not answer. The caller may try again; `what` names it in words that mean something to them. */
export function unavailable(what: string, cause?: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    { code: 'UNAVAILABLE', message: `${what} can't be reached at the moment. Try again in a few seconds.` },
    { cause },
  );
}

export function isAppError(error: unknown, kind?: ErrorKind): error is AppError {
  return error instanceof AppError && (kind === undefined || error.kind === kind);
}
