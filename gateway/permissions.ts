import type { GraphQLSchema } from 'graphql';
import { AppError, type ErrorKind } from '../runtime/app-error.js';
import { toGraphQLError } from '../runtime/error-graphql.js';
import type { GatewayContext } from './context.js';
import { applyMiddleware, deny, rule, shield } from './shield.js';

/** Roles that may change links, and those that may read within their tenant. */
const WRITERS = ['OWNER', 'ADMIN', 'EDITOR'];
const READERS = [...WRITERS, 'REVIEWER', 'ANALYST', 'OPERATOR'];

/** Answers depend on the context alone, so each is found once for a request. */
const signedIn = rule('signedIn', { cache: 'contextual' })((_parent, _args, context: GatewayContext) => has(context));
const reads = rule('reads', { cache: 'contextual' })((_parent, _args, context: GatewayContext) =>
  has(context, READERS),
);
const writes = rule('writes', { cache: 'contextual' })((_parent, _args, context: GatewayContext) =>
  has(context, WRITERS),
);

type Rule = typeof reads;

/**
 * Who may see and do what: every field of every object type by name. A field that is not here is denied, so a new one is
 * closed until somebody has thought about it (G16).
 */
export const permissions: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  Query: {
    viewer: signedIn,
    ...all(reads, 'node tenant link linkByShortUrl linkByExternalId links domainGroup domainGroups analytics'),
  },
  Mutation: all(writes, 'createLink updateLink disableLink enableLink'),
  Viewer: { ...all(signedIn, 'actor scopes'), tenant: reads },
  Actor: all(signedIn, 'id kind name'),
  Tenant: all(reads, 'id name status createdAt'),
  DomainGroup: all(reads, 'id name recommendedDomain version codePolicy'),
  CodePolicy: all(reads, 'caseSensitive codeLength'),
  Domain: all(reads, 'id hostname displayName kind state stateSince'),
  DomainGroupConnection: all(reads, 'edges nodes pageInfo'),
  DomainGroupEdge: all(reads, 'cursor node'),
  Link: all(
    reads,
    'id shortCode shortUrl targetUrl domainGroup status risk redirectType version title note externalId tags metadata ' +
      'effectiveAt expiresAt createdAt updatedAt createdBy updatedBy versions clicks analytics',
  ),
  LinkConnection: all(reads, 'edges nodes pageInfo totalCount'),
  LinkEdge: all(reads, 'cursor node'),
  LinkVersion: all(reads, 'id version targetUrl previousTargetUrl actor reason risk source clientIp traceId createdAt'),
  LinkVersionConnection: all(reads, 'edges nodes pageInfo'),
  LinkVersionEdge: all(reads, 'cursor node'),
  Analytics: all(reads, 'quality totals previousTotals series breakdown'),
  AnalyticsQuality: all(reads, 'asOf lagSeconds exact source retentionFrom droppedAtEdge tooLate'),
  AnalyticsMetrics: all(reads, 'clicks visitors excluded'),
  AnalyticsVisitors: all(reads, 'value method relativeError'),
  TrafficClassCount: all(reads, 'class count'),
  AnalyticsBucket: all(reads, 'start end partial metrics previous'),
  AnalyticsBreakdown: all(reads, 'dimension rows distinctValues pageInfo'),
  AnalyticsRow: all(reads, 'key label kind metrics share previous'),
  ClickTotals: all(reads, 'total human bot unique asOf'),
  LinkPayload: all(reads, 'link problems replayed'),
  PageInfo: all(reads, 'hasNextPage hasPreviousPage startCursor endCursor'),
  Problem: all(reads, 'code message path details'),
};

/** The schema with the permission of each field before its resolver. */
export function guarded(schema: GraphQLSchema): GraphQLSchema {
  const guard = shield(permissions, {
    fallbackRule: deny,
    fallbackError: () => refused('FORBIDDEN', 'This credential may not see or do this.'),
    // Else every failure of a resolver would become the fallback; failures.ts decides what is shown of them.
    allowExternalErrors: true,
  });
  return applyMiddleware(schema, guard);
}

function has({ identity }: GatewayContext, roles?: readonly string[]): true | Error {
  if (!identity) {
    const message = 'No valid credential. Send `Authorization: Bearer <API key>`.';
    return refused('UNAUTHENTICATED', message);
  }
  if (!roles || identity.scopes.some((scope) => roles.includes(scope))) return true;
  return refused('FORBIDDEN', `This needs one of the roles ${roles.join(', ')}.`);
}

function refused(kind: ErrorKind & ('UNAUTHENTICATED' | 'FORBIDDEN'), message: string): Error {
  return toGraphQLError(new AppError(kind, { code: kind, message }));
}

function all(each: Rule, fields: string): Record<string, Rule> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, each]));
}
