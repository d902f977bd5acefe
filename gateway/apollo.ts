import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { Log } from '../runtime/log.js';
import type { GatewayContext } from './context.js';
import { costLimit } from './cost.js';
import type { Failures } from './failures.js';
import { documentLimits, LISTED_ERRORS, TOKENS } from './limits.js';
import type { Observation } from './observation.js';
import { createSchema } from './schema.js';

export interface ApolloParts {
  /** Lets callers read the schema. */
  introspection: boolean;
  failures: Failures;
  observation: Observation;
  log: Log;
}

/** The GraphQL engine, closed where Apollo's defaults are open (security.md fact 7 and G1 to G21). */
export async function startApollo(parts: ApolloParts): Promise<ApolloServer<GatewayContext>> {
  const { introspection, failures, observation, log } = parts;
  const apollo = new ApolloServer<GatewayContext>({
    schema: createSchema(),
    // Said, because by default NODE_ENV decides on stack traces and landing pages.
    nodeEnv: 'production',
    introspection,
    csrfPrevention: true,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    // The process has its own; Apollo's would raise the signal again.
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: TOKENS },
    validationRules: documentLimits(),
    validationOptions: { maxErrors: LISTED_ERRORS },
    executionOptions: { maxCoercionErrors: LISTED_ERRORS },
    formatError: (formatted, error) => failures.format(formatted, error),
    logger: log,
    plugins: [
      costLimit(),
      failures.plugin(),
      observation.plugin(),
      // Nothing is sent to Apollo's servers, whatever APOLLO_KEY says, and no page comes from its CDN.
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver; server.ts says no-store for all.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
  await apollo.start();
  return apollo;
}
