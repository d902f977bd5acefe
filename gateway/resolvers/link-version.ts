import type { Resolvers } from '../../gen/graphql.js';
import { ChangeSource } from '../../gen/proto/waypost/context/v1/context.js';
import type { LinkVersion } from '../../gen/proto/waypost/link/v1/link_service.js';
import { RiskVerdict } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { parseLinkId } from '../../model/link-id.js';
import type { GatewayContext } from '../context.js';
import { knownName } from '../enum.js';
import { actorOf } from './actor.js';

export const linkVersionResolvers: Resolvers<GatewayContext> = {
  LinkVersion: {
    id: (version) => `${version.linkId}.v${version.version}`,
    actor: (version) => actorOf(version.actor),
    risk: (version) => knownName(RiskVerdict, version.risk),
    source: (version) => knownName(ChangeSource, version.source),
  },
};

const PAGE = 100;

/** The version with this id; undefined when there is none. */
export async function findLinkVersion(
  id: string,
  { services, caller, loaders }: GatewayContext,
): Promise<LinkVersion | undefined> {
  const [, linkId = '', digits] = /^(.+)\.v([1-9]\d{0,8})$/.exec(id) ?? [];
  if (parseLinkId(linkId) === undefined) return undefined;
  const wanted = Number(digits);
  const link = await loaders.link.load(linkId);
  if (!link || wanted > link.version) return undefined;
  for (let after = ''; ; ) {
    const { edges, hasMore } = await services.link.call('listLinkVersions', { linkId, first: PAGE, after }, caller);
    const found = edges.find(({ version }) => version?.version === wanted)?.version;
    const last = edges.at(-1);
    // Newest first: beyond a lower number it can't come.
    if (found || !hasMore || !last || (last.version?.version ?? 0) < wanted) return found;
    after = last.cursor;
  }
}
