import type { CreateLinkRequest, UpdateLinkRequest } from '../../gen/proto/waypost/link/v1/link_service.js';
import { comparedCode, isCodeShaped, randomCode } from '../../model/code.js';
import { hostFromHeader } from '../../model/host.js';
import { parseLinkId } from '../../model/link-id.js';
import { isPermanent } from '../../model/snapshot.js';
import type { Effect } from '../../runtime/outbox.js';
import type { Caller } from '../../runtime/rpc-context.js';
import type { Directory, Group } from './directory.js';
import { readDraft } from './draft.js';
import { linkEvent, type Origin, originOf } from './events.js';
import type { IdIssuer } from './id-issuer.js';
import { type Link, type Target, versionState } from './link.js';
import { fitting, linkBytes, type Order, readPage } from './page.js';
import { applyFields, differs } from './patch.js';
import {
  busy,
  checkVersion,
  codesExhausted,
  codeTaken,
  externalIdTaken,
  immutable,
  notFound,
  readReason,
} from './refusals.js';
import { Replays } from './replays.js';
import type { Idempotency, LinkStore } from './store.js';
import type { Targets } from './targets.js';
import { listVersions, type VersionPage } from './versions.js';

/** Draws of a random code before giving up: at 62^8 codes even one conflict is a sign of trouble. */
const DRAWS = 5;
/** Reads of a link that changes under our hands, where the caller named no version. */
const RE_READS = 8;

export interface LinksOptions {
  store: LinkStore;
  ids: IdIssuer;
  directory: Directory;
  targets: Targets;
  effects: readonly Effect[];
}

/** `replayed`: the idempotency key had been used for the same request, and this is that link as it stands. */
export interface Written {
  link: Link;
  replayed: boolean;
}

export class Links {
  readonly #options: LinksOptions;
  readonly #replays: Replays;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#replays = new Replays(options.store);
  }

  /** @throws AppError with every problem of the request at once; nothing is stored then */
  async create(request: CreateLinkRequest, caller: Caller): Promise<Written> {
    const idempotency = this.#replays.idempotency('create', request, request.idempotencyKey);
    const earlier = await this.#replays.find(caller.tenantId, idempotency);
    if (earlier) return { link: earlier, replayed: true };

    const now = new Date();
    const { fields, redirectType, custom, group, target } = await readDraft(request, this.#options, caller, now);
    const origin = originOf(caller);
    const link = {
      ...fields,
      target,
      tenantId: caller.tenantId,
      groupId: group.id,
      domainId: group.domainId,
      redirectType,
      disabled: false,
      version: 1,
      rev: 1,
      createdAt: now,
      updatedAt: now,
      createdBy: origin.actor,
      updatedBy: origin.actor,
      createdFrom: origin.from,
    };
    return this.#insert(link, group, custom, origin, idempotency);
  }

  async #insert(
    draft: Omit<Link, 'id' | 'shortCode'>,
    group: Group,
    custom: string | undefined,
    origin: Origin,
    idempotency: Idempotency | undefined,
  ): Promise<Written> {
    const { store, ids, effects } = this.#options;
    for (let draw = 0; draw < DRAWS; draw++) {
      const shortCode = comparedCode(custom ?? randomCode(group.codeLength), group.codeCase);
      const link: Link = { ...draft, shortCode, id: ids.issue(group.id, shortCode) };
      const row = linkEvent('link.created', undefined, link, origin, effects);
      const conflict = await store.insert({ link, row, idempotency });
      if (!conflict) return { link, replayed: false };
      if (conflict === 'idempotency') return this.#replays.replay(draft.tenantId, idempotency);
      if (conflict === 'external-id') throw externalIdTaken();
      if (custom !== undefined) throw codeTaken(shortCode);
    }
    throw codesExhausted();
  }

  /** @throws AppError NOT_FOUND, VERSION_MISMATCH, or every problem of the new values at once */
  async update(request: UpdateLinkRequest, caller: Caller): Promise<Written> {
    const idempotency = this.#replays.idempotency('update', request, request.idempotencyKey);
    const earlier = await this.#replays.find(caller.tenantId, idempotency);
    if (earlier) return { link: earlier, replayed: true };
    const origin = originOf(caller, readReason(request.reason));

    for (let read = 0; read < RE_READS; read++) {
      const before = await this.link(request.id, caller);
      checkVersion(before, request.expectedVersion);
      const target = await this.#changedTarget(request, before, caller);
      const after = applyFields(before, request, target);
      if (!differs(before, after)) return { link: before, replayed: false };
      const outcome = await this.#write('link.updated', before, after, origin, idempotency);
      if (outcome === 'idempotency') return this.#replays.replay(caller.tenantId, idempotency);
      if (outcome !== 'stale') return { link: outcome, replayed: false };
      // Either another caller's change (the next check says so) or a verdict: then the change holds for the new state.
    }
    throw busy();
  }

  /** Undefined when the request leaves the target as it is. */
  async #changedTarget(request: UpdateLinkRequest, before: Link, caller: Caller): Promise<Target | undefined> {
    if (!request.mask?.includes('target_url')) return undefined;
    const target = await this.#options.targets.judge(request.fields?.targetUrl ?? '', caller);
    if (target.url === before.target.url) return undefined;
    if (isPermanent(before.redirectType)) throw immutable(before.redirectType);
    return target;
  }

  /** Holds for whatever version stands when `expectedVersion` is undefined. @throws AppError as `update` */
  async setEnabled(
    id: string,
    enabled: boolean,
    expectedVersion: number | undefined,
    reason: string,
    caller: Caller,
  ): Promise<Link> {
    const origin = originOf(caller, readReason(reason));
    for (let read = 0; read < RE_READS; read++) {
      const before = await this.link(id, caller);
      if (expectedVersion !== undefined) checkVersion(before, expectedVersion);
      if (before.disabled === !enabled) return before;
      const type = enabled ? 'link.enabled' : 'link.disabled';
      const outcome = await this.#write(type, before, { ...before, disabled: !enabled }, origin, undefined);
      if (outcome !== 'stale' && outcome !== 'idempotency') return outcome;
    }
    throw busy();
  }

  /** One step up of the caller's lock, and of `rev` where the redirect sees the difference. */
  async #write(
    type: 'link.updated' | 'link.disabled' | 'link.enabled',
    before: Link,
    changed: Link,
    origin: Origin,
    idempotency: Idempotency | undefined,
  ): Promise<Link | 'stale' | 'idempotency'> {
    const { store, effects } = this.#options;
    const previous = versionState(before);
    const state = versionState(changed);
    const visible = JSON.stringify(previous) !== JSON.stringify(state);
    const after: Link = {
      ...changed,
      version: before.version + 1,
      rev: before.rev + (visible ? 1 : 0),
      updatedAt: new Date(),
      updatedBy: origin.actor,
    };
    const { version, updatedAt: createdAt } = after;
    const row = linkEvent(type, before, after, origin, effects);
    const conflict = await store.update({
      before,
      after,
      row,
      idempotency,
      version: visible ? { version, state, previous, ...origin, createdAt } : undefined,
    });
    if (conflict === 'external-id') throw externalIdTaken();
    return conflict === undefined ? after : conflict === 'idempotency' ? 'idempotency' : 'stale';
  }

  /** @throws AppError NOT_FOUND, also for another tenant's */
  async link(id: string, caller: Caller): Promise<Link> {
    const [link] = await this.links([id], caller);
    if (link) return link;
    throw notFound();
  }

  /** Those of these ids that the tenant has. */
  async links(ids: readonly string[], caller: Caller): Promise<Link[]> {
    const known = ids.map(parseLinkId).filter((id) => id !== undefined);
    return known.length === 0 ? [] : this.#options.store.links(caller.tenantId, known);
  }

  /** Scheme and port don't matter: host and code name the link. */
  async linkByShortUrl(shortUrl: string, caller: Caller): Promise<Link | undefined> {
    const match = /^https?:\/\/([^/?#]+)\/([^/?#]+)\/?(?:[?#].*)?$/i.exec(shortUrl);
    const host = hostFromHeader(match?.[1] ?? '');
    const code = match?.[2] ?? '';
    const group = host && isCodeShaped(code) ? await this.#options.directory.groupOfHost(host, caller) : undefined;
    return group && this.#options.store.linkByCode(caller.tenantId, group.id, comparedCode(code, group.codeCase));
  }

  linkByExternalId(externalId: string, caller: Caller): Promise<Link | undefined> {
    return this.#options.store.linkByExternalId(caller.tenantId, externalId);
  }

  async list(order: Order, first: number, after: string, caller: Caller): Promise<{ links: Link[]; more: boolean }> {
    const found = await this.#options.store.page(caller.tenantId, readPage(order, first, after));
    const links = fitting(found.slice(0, first), linkBytes);
    return { links, more: found.length > links.length };
  }

  /** @throws AppError NOT_FOUND */
  async versions(id: string, first: number, after: string, caller: Caller): Promise<VersionPage> {
    return listVersions(this.#options.store, await this.link(id, caller), first, after);
  }

  count(caller: Caller): Promise<number> {
    return this.#options.store.count(caller.tenantId);
  }
}
