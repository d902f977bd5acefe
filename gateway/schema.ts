import { readdirSync, readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { guarded } from './permissions.js';
import { analyticsResolvers } from './resolvers/analytics.js';
import { domainResolvers } from './resolvers/domain.js';
import { linkResolvers } from './resolvers/link.js';
import { linkMutations } from './resolvers/link-mutation.js';
import { linkVersionResolvers } from './resolvers/link-version.js';
import { nodeResolvers } from './resolvers/node.js';
import { tenantResolvers } from './resolvers/tenant.js';
import { scalars } from './scalars.js';

const FOLDER = new URL('../schema/', import.meta.url);

/** The public schema from `schema/*.graphql`, with its resolvers behind their permissions. */
export function createSchema(): GraphQLSchema {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.graphql'));
  const schema = makeExecutableSchema({
    typeDefs: files.sort().map((name) => readFileSync(new URL(name, FOLDER), 'utf8')),
    resolvers: [
      scalars,
      nodeResolvers,
      tenantResolvers,
      domainResolvers,
      linkResolvers,
      linkVersionResolvers,
      linkMutations,
      analyticsResolvers,
    ],
  });
  return guarded(schema);
}
