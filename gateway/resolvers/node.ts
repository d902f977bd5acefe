import type { Resolvers } from '../../gen/graphql.js';
import { parseLinkId } from '../../model/link-id.js';
import type { GatewayContext } from '../context.js';
import { findLinkVersion } from './link-version.js';

/** `grp_` and `dom_` with a ULID. */
const ULID_ID = /^(grp|dom)_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export const nodeResolvers: Resolvers<GatewayContext> = {
  Query: {
    async node(_parent, { id }, context) {
      const { loaders } = context;
      if (parseLinkId(id) !== undefined) return typed('Link', await loaders.link.load(id));
      if (id.startsWith('lnk_')) return typed('LinkVersion', await findLinkVersion(id, context));
      const kind = ULID_ID.exec(id)?.[1];
      if (kind === 'grp') return typed('DomainGroup', await loaders.group.load(id));
      if (kind === 'dom') return typed('Domain', await loaders.domain.load(id));
      return null;
    },
  },
};

/** Services' objects don't say what they are; the answer of an interface must. */
function typed<N extends string, T extends object>(
  __typename: N,
  object: T | undefined,
): (T & { __typename: N }) | null {
  return object ? { ...object, __typename } : null;
}
