import { comparedCode, isCodeShaped } from '../../model/code.js';
import { hostFromHeader } from '../../model/host.js';
import { parseLinkId } from '../../model/link-id.js';
import { type Caller, tenantOf } from '../../runtime/rpc-context.js';
import type { Directory } from './directory.js';
import type { Link } from './link.js';
import { fitting, linkBytes, type Order, outOfRange, readPage } from './page.js';
import { notFound } from './refusals.js';
import type { LinkStore } from './store.js';
import { listVersions, type VersionPage } from './versions.js';

const MAX_IDS = 100;

/** Everything that reads links and changes nothing. */
export class Finder {
  readonly #store: LinkStore;
  readonly #directory: Directory;

  constructor(store: LinkStore, directory: Directory) {
    this.#store = store;
    this.#directory = directory;
  }

  /** @throws AppError NOT_FOUND, also for another tenant's */
  async link(id: string, caller: Caller): Promise<Link> {
    const [link] = await this.links([id], caller);
    if (link) return link;
    throw notFound();
  }

  /** Those of these ids that the tenant has. */
  async links(ids: readonly string[], caller: Caller): Promise<Link[]> {
    if (ids.length > MAX_IDS) throw outOfRange('ids', `At most ${MAX_IDS} links in one call.`);
    const known = ids.map(parseLinkId).filter((id) => id !== undefined);
    return known.length === 0 ? [] : this.#store.links(tenantOf(caller), known);
  }

  /** Scheme and port don't matter: host and code name the link. */
  async linkByShortUrl(shortUrl: string, caller: Caller): Promise<Link | undefined> {
    const match = /^https?:\/\/([^/?#]+)\/([^/?#]+)\/?(?:[?#].*)?$/i.exec(shortUrl);
    const host = hostFromHeader(match?.[1] ?? '');
    const code = match?.[2] ?? '';
    const group = host && isCodeShaped(code) ? await this.#directory.groupOfHost(host, caller) : undefined;
    return group && this.#store.linkByCode(tenantOf(caller), group.id, comparedCode(code, group.codeCase));
  }

  linkByExternalId(externalId: string, caller: Caller): Promise<Link | undefined> {
    return this.#store.linkByExternalId(tenantOf(caller), externalId);
  }

  async list(order: Order, first: number, after: string, caller: Caller): Promise<{ links: Link[]; more: boolean }> {
    const found = await this.#store.page(tenantOf(caller), readPage(order, first, after));
    const links = fitting(found.slice(0, first), linkBytes);
    return { links, more: found.length > links.length };
  }

  /** @throws AppError NOT_FOUND */
  async versions(id: string, first: number, after: string, caller: Caller): Promise<VersionPage> {
    return listVersions(this.#store, await this.link(id, caller), first, after);
  }

  count(caller: Caller): Promise<number> {
    return this.#store.count(tenantOf(caller));
  }
}
