import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';

/** Longest that one request may take, all its calls included. */
export const REQUEST_MS = 10_000;
export const BODY_BYTES = 256 * 1024;
export const TOKENS = 1_000;
/** Errors listed for one document or one set of variables; the rest says no more than the first. */
export const LISTED_ERRORS = 10;
export const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;
const DEPTH = 12;
const ALIASES = 30;
const DIRECTIVES = 20;

/**
 * Limits that need no variables. The rules report instead of throwing: what is thrown within validation becomes 500
 * (security.md fact 8).
 */
export function documentLimits(): ValidationRule[] {
  return [
    // Fields count, fragments do not: generated clients use one at each level.
    maxDepthRule({ ...reporting(DEPTH), flattenFragments: true }),
    maxAliasesRule(reporting(ALIASES)),
    maxDirectivesRule(reporting(DIRECTIVES)),
  ] as ValidationRule[];
}

function reporting(n: number) {
  const report = (context: ValidationContext | null, error: GraphQLError): void =>
    context?.reportError(tooComplex(error.message.replace('Syntax Error: ', '')));
  return { n, propagateOnRejection: false, onReject: [report] };
}

/** A document that asks for too much: 400, nothing of it is executed. */
export function tooComplex(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX', http: { status: 400 } } });
}

/**
 * Length of a page from its `first`.
 * @throws GraphQLError INVALID_ARGUMENT outside 1 to 100
 */
export function pageLength(first: number | null | undefined): number {
  const length = first ?? PAGE_DEFAULT;
  if (length >= 1 && length <= PAGE_MAX) return length;
  throw new GraphQLError(`first is ${length}; it must be 1 to ${PAGE_MAX}.`, {
    extensions: { code: 'INVALID_ARGUMENT', argumentPath: ['first'], http: { status: 400 } },
  });
}
