import { type Link, type LinkVersion, versionState } from './link.js';
import { checkFirst, fitting, outOfRange } from './page.js';
import type { LinkStore } from './store.js';

const FIRST = 1;

export interface VersionPage {
  versions: LinkVersion[];
  more: boolean;
}

/**
 * The versions of a link that the redirect could tell apart, newest first. The first is not stored: it is what the
 * second replaced, or the link itself.
 */
export async function listVersions(store: LinkStore, link: Link, first: number, after: string): Promise<VersionPage> {
  checkFirst(first);
  const before = after === '' ? Number.MAX_SAFE_INTEGER : Number(after);
  if (!Number.isSafeInteger(before)) throw outOfRange('after', 'after is not a cursor of this list.');
  const versions = before <= FIRST ? [] : await store.versions(link.id, before, first + 1);
  if (versions.length <= first && before > FIRST) versions.push(await firstVersion(store, link));
  const page = fitting(versions.slice(0, first), versionBytes);
  return { versions: page, more: versions.length > page.length };
}

function versionBytes({ state, previous, reason = '' }: LinkVersion): number {
  return 600 + state.targetUrl.length + (previous?.targetUrl.length ?? 0) + 3 * reason.length;
}

async function firstVersion(store: LinkStore, link: Link): Promise<LinkVersion> {
  const second = await store.oldestVersion(link.id);
  const state = second?.previous ?? versionState(link);
  return { version: FIRST, state, actor: link.createdBy, from: link.createdFrom, createdAt: link.createdAt };
}
