import { pageLength } from '../limits.js';

/** Arguments of a page as services take them. */
export function pageOf(args: { first?: number | null; after?: string | null }): { first: number; after: string } {
  return { first: pageLength(args.first), after: args.after ?? '' };
}

/** A Relay connection of what a service answered for one page. */
export function connection<T>(edges: readonly { cursor: string; node: T }[], hasMore: boolean, after: string) {
  return {
    edges: [...edges],
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: after !== '',
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
