import { ActorKind, ChangeSource } from '../../gen/proto/waypost/context/v1/context.js';
import {
  type Link as LinkMessage,
  LinkOrder,
  type LinkServiceService,
  LinkStatus,
  type LinkVersion as VersionMessage,
} from '../../gen/proto/waypost/link/v1/link_service.js';
import { RiskVerdict } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { formatLinkId } from '../../model/link-id.js';
import { linkStatus } from '../../model/link-status.js';
import { enumName } from '../../runtime/proto-enum.js';
import type { Actor, Caller } from '../../runtime/rpc-context.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Directory } from './directory.js';
import type { Finder } from './finder.js';
import type { Link, LinkVersion } from './link.js';
import type { Links } from './links.js';
import { cursorOf, outOfRange } from './page.js';

export function linkHandlers(links: Links, finder: Finder, directory: Directory): Handlers<typeof LinkServiceService> {
  async function message(link: Link, caller: Caller): Promise<LinkMessage> {
    return linkMessage(link, await directory.origin(link.domainId, caller));
  }

  return {
    async createLink(request, caller) {
      const { link, replayed, origin } = await links.create(request, caller);
      return { link: origin ? linkMessage(link, origin) : await message(link, caller), replayed };
    },

    async getLinks({ ids }, caller) {
      const found = await finder.links(ids, caller);
      return { links: await Promise.all(found.map((link) => message(link, caller))) };
    },

    async findLink({ by }, caller) {
      const found =
        by?.$case === 'shortUrl'
          ? await finder.linkByShortUrl(by.value, caller)
          : await finder.linkByExternalId(by?.value ?? '', caller);
      return { link: found && (await message(found, caller)) };
    },

    async listLinks({ first, after, order: wanted }, caller) {
      const order = enumName(LinkOrder, wanted);
      if (!order) throw outOfRange('order', 'order is not one that this service knows.');
      const page = await finder.list(order, first, after, caller);
      const edges = page.links.map(async (link) => ({
        cursor: cursorOf(order, link),
        link: await message(link, caller),
      }));
      return { edges: await Promise.all(edges), hasMore: page.more };
    },

    async countLinks(_request, caller) {
      return { count: await finder.count(caller) };
    },

    async updateLink(request, caller) {
      const { link, replayed } = await links.update(request, caller);
      return { link: await message(link, caller), replayed };
    },

    async setLinkEnabled({ id, enabled, expectedVersion, reason }, caller) {
      const link = await links.setEnabled(id, enabled, expectedVersion, reason, caller);
      return { link: await message(link, caller) };
    },

    async listLinkVersions({ linkId, first, after }, caller) {
      const { versions, more } = await finder.versions(linkId, first, after, caller);
      const edges = versions.map((version) => ({
        cursor: String(version.version),
        version: versionMessage(linkId, version),
      }));
      return { edges, hasMore: more };
    },
  };
}

function linkMessage(link: Link, origin: string): LinkMessage {
  const { target, disabled, effectiveAt, expiresAt } = link;
  const risk = target.risk.verdict;
  const state = { risk, disabled, effectiveAt: effectiveAt?.getTime(), expiresAt: expiresAt?.getTime() };
  return {
    id: formatLinkId(link.id),
    groupId: link.groupId,
    shortCode: link.shortCode,
    shortUrl: `${origin}/${link.shortCode}`,
    targetUrl: target.url,
    status: LinkStatus[linkStatus(state, Date.now())],
    risk: RiskVerdict[risk],
    redirectType: link.redirectType,
    version: link.version,
    title: link.title,
    note: link.note,
    externalId: link.externalId,
    tags: link.tags,
    metadata: link.metadata.map(([key, value]) => ({ key, value })),
    effectiveAt,
    expiresAt,
    createdAt: link.createdAt,
    updatedAt: link.updatedAt,
    createdBy: actorMessage(link.createdBy),
    updatedBy: actorMessage(link.updatedBy),
  };
}

function versionMessage(linkId: string, { version, state, previous, ...rest }: LinkVersion): VersionMessage {
  const { source, clientIp, traceId } = rest.from;
  return {
    linkId,
    version,
    targetUrl: state.targetUrl,
    previousTargetUrl: previous?.targetUrl,
    risk: RiskVerdict[state.risk],
    enabled: !state.disabled,
    effectiveAt: state.effectiveAt,
    expiresAt: state.expiresAt,
    actor: actorMessage(rest.actor),
    reason: rest.reason,
    source: ChangeSource[source as keyof typeof ChangeSource],
    clientIp: clientIp || undefined,
    traceId: traceId || undefined,
    createdAt: rest.createdAt,
  };
}

function actorMessage({ id, kind, name }: Actor) {
  return { id, kind: ActorKind[kind], name };
}
