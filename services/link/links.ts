import { setTimeout as delay } from 'node:timers/promises';
import { CreateLinkRequest, UpdateLinkRequest } from '../../gen/proto/waypost/link/v1/link_service.js';
import { comparedCode, randomCode } from '../../model/code.js';
import { isPermanent } from '../../model/snapshot.js';
import { AppError } from '../../runtime/app-error.js';
import type { Effect } from '../../runtime/outbox.js';
import { type Caller, tenantOf } from '../../runtime/rpc-context.js';
import type { Directory, Group } from './directory.js';
import { gather, readDraft } from './draft.js';
import { linkEvent, type Origin, originOf } from './events.js';
import { FieldReader } from './fields.js';
import type { Finder } from './finder.js';
import type { IdIssuer } from './id-issuer.js';
import { type Link, type Target, versionState } from './link.js';
import { applyFields, differs } from './patch.js';
import { busy, checkVersion, codesExhausted, codeTaken, externalIdTaken, immutable } from './refusals.js';
import { Replays } from './replays.js';
import type { Idempotency, LinkStore } from './store.js';
import type { Targets } from './targets.js';

/** Draws of a random code before giving up: at 62^8 codes even one conflict is a sign of trouble. */
const DRAWS = 5;
/** Reads of a link that changes under our hands, where the caller named no version. */
const RE_READS = 8;

export interface LinksOptions {
  store: LinkStore;
  finder: Finder;
  ids: IdIssuer;
  directory: Directory;
  targets: Targets;
  effects: readonly Effect[];
}

/** `replayed`: the idempotency key had been used for the same request, and this is that link as it stands. */
export interface Written {
  link: Link;
  replayed: boolean;
  /** Scheme, host and port of its short URL, where that is known already. */
  origin?: string;
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
    const idempotency = this.#replays.idempotency(
      'create',
      CreateLinkRequest.encode(comparable(request)).finish(),
      request.idempotencyKey,
    );
    const earlier = await this.#replays.find(tenantOf(caller), idempotency);
    if (earlier) return { link: earlier, replayed: true };

    const now = new Date();
    const { fields, redirectType, custom, group, target } = await readDraft(request, this.#options, caller, now);
    const origin = originOf(caller);
    const link = {
      ...fields,
      target,
      tenantId: tenantOf(caller),
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
      if (!conflict) return { link, replayed: false, origin: group.origin };
      if (conflict === 'idempotency') return this.#replays.replay(draft.tenantId, idempotency);
      if (conflict === 'external-id') throw externalIdTaken();
      if (custom !== undefined) throw codeTaken(shortCode);
    }
    throw codesExhausted();
  }

  /** @throws AppError NOT_FOUND, VERSION_MISMATCH, or every problem of the new values at once */
  async update(request: UpdateLinkRequest, caller: Caller): Promise<Written> {
    const idempotency = this.#replays.idempotency(
      'update',
      UpdateLinkRequest.encode(comparable(request)).finish(),
      request.idempotencyKey,
    );
    const earlier = await this.#replays.find(tenantOf(caller), idempotency);
    if (earlier) return { link: earlier, replayed: true };
    const origin = originOf(caller, request.reason);

    for (let read = 0; read < RE_READS; read++) {
      const before = await this.#again(request.id, read, caller);
      checkVersion(before, request.expectedVersion);
      const reader = new FieldReader();
      reader.checkReason(request.reason);
      const changed = applyFields(before, request, reader, new Date());
      const [target] = await gather<[Target]>([this.#target(request, before, caller)], reader.problems);
      const after = { ...changed, target };
      if (!differs(before, after)) {
        await this.#replays.keep(before, idempotency);
        return { link: before, replayed: false };
      }
      const outcome = await this.#write('link.updated', before, after, origin, idempotency);
      if (outcome === 'idempotency') return this.#replays.replay(tenantOf(caller), idempotency);
      if (outcome !== 'stale') return { link: outcome, replayed: false };
      // Either another caller's change (the next check says so) or a verdict: then the change holds for the new state.
    }
    throw busy();
  }

  /** The target that the request names, or the present one. */
  async #target(request: UpdateLinkRequest, before: Link, caller: Caller): Promise<Target> {
    if (!request.mask?.includes('target_url')) return before.target;
    const target = await this.#options.targets.judge(request.fields?.targetUrl ?? '', caller);
    if (target.url === before.target.url) return before.target;
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
    const reader = new FieldReader();
    reader.checkReason(reason);
    if (reader.problems.length > 0) throw new AppError('INVALID_ARGUMENT', reader.problems);
    const origin = originOf(caller, reason);
    for (let read = 0; read < RE_READS; read++) {
      const before = await this.#again(id, read, caller);
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

  /** Reads by majority, which may lag behind what the write met: each time with a longer pause before. */
  async #again(id: string, read: number, caller: Caller): Promise<Link> {
    if (read > 0) await delay(10 * read);
    return this.#options.finder.link(id, caller);
  }
}

/** Requests that mean the same are the same under one idempotency key: a JSON object has no order, absent is default. */
function comparable<R extends CreateLinkRequest | UpdateLinkRequest>(request: R): R {
  const metadata = request.fields?.metadata.toSorted((a, b) => (a.key < b.key ? -1 : 1)) ?? [];
  const fields = request.fields && { ...request.fields, metadata };
  return { ...request, ...('redirectType' in request ? { redirectType: request.redirectType ?? 302 } : {}), fields };
}
