import { createRequire } from 'node:module';
import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { ComplexityEstimatorArgs } from 'graphql-query-complexity/cjs';
import type { GatewayContext } from './context.js';
import { pageLength, tooComplex } from './limits.js';

// Its ESM build imports a second copy of graphql-js, which fails on each request (stack.md 3).
const { getComplexity } = createRequire(import.meta.url)(
  'graphql-query-complexity/cjs',
) as typeof import('graphql-query-complexity/cjs');

const COST_MAX = 10_000;

/** What costs more than 1, because each takes a call of its own that can't be shared with others of its kind. */
const CALLS: Readonly<Record<string, number>> = {
  // A version is looked for from the newest back.
  'Query.node': 20,
  'Query.links': 20,
  'Query.linkByShortUrl': 20,
  'Query.linkByExternalId': 20,
  'Query.domainGroups': 20,
  'LinkConnection.totalCount': 20,
  'Query.analytics': 100,
  // One for each link of a page.
  'Link.analytics': 100,
  'Link.versions': 400,
};

type Variables = Readonly<Record<string, unknown>>;

/** Refuses a document that costs more than the limit, before anything of it is executed. */
export function costLimit(): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, operation, request }) {
          // Which operation is meant is not clear: execution says so.
          if (!operation) return;
          const cost = costOf(schema, document, operation, request.variables ?? {});
          if (cost > COST_MAX) {
            throw tooComplex(`The document costs ${cost}; at most ${COST_MAX} is allowed. Ask for shorter pages.`);
          }
        },
      };
    },
  };
}

/** @throws GraphQLError for pages out of range and for what can't be counted; both answer 400 */
function costOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  // Bad variables are execution's to answer, with all their faults.
  if (getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 }).errors) return 0;
  try {
    return getComplexity({
      schema,
      query,
      variables,
      ...(operation.name ? { operationName: operation.name.value } : {}),
      estimators: [fieldCost],
    });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // Fragments within fragments, counted as often as they are used.
    if (error.message.startsWith('Query exceeds')) throw tooComplex(error.message);
    if (error.extensions.code) throw error;
    throw new GraphQLError(error.message, {
      nodes: error.nodes,
      extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
    });
  }
}

function fieldCost({ type, field, args, childComplexity }: ComplexityEstimatorArgs): number {
  const own = CALLS[`${type.name}.${field.name}`] ?? 1;
  return 'first' in args ? own + pageLength(args.first) * childComplexity : own + childComplexity;
}
