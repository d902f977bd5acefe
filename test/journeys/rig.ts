import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, type System, startSystem } from '../../dev/system.js';

/** The key of the first tenant in every journey. */
const KEY = 'journey-key-of-more-than-thirty-two-characters';

/** A whole Waypost of its own, with what journeys do to it. */
export interface Rig {
  system: System;
  dataDir: string;
  graphql<T = Record<string, unknown>>(query: string, variables?: object): Promise<Answer<T>>;
  /** One createLink; the payload as it is answered. */
  createLink(input: object): Promise<LinkPayload>;
  updateLink(input: object): Promise<LinkPayload>;
  /** GET without following; by default at the redirect process of the system. */
  visit(shortUrl: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface Answer<T> {
  data?: T | null;
  errors?: { message: string; path?: (string | number)[]; extensions?: { code?: string } }[];
}

export interface LinkPayload {
  link: LinkNode | null;
  problems: { code: string; message: string; path: string[] | null; details: Record<string, unknown> | null }[];
  replayed: boolean;
}

export interface LinkNode {
  id: string;
  shortCode: string;
  shortUrl: string;
  targetUrl: string;
  status: string;
  version: number;
}

export interface RigOptions {
  without?: readonly Role[];
  env?: Record<string, string>;
  testCommands?: boolean;
}

const PAYLOAD = `{ link { id shortCode shortUrl targetUrl status version } problems { code message path details } replayed }`;
const CREATE = `mutation ($input: CreateLinkInput!) { payload: createLink(input: $input) ${PAYLOAD} }`;
const UPDATE = `mutation ($input: UpdateLinkInput!) { payload: updateLink(input: $input) ${PAYLOAD} }`;

export async function startRig({ without = [], env = {}, testCommands = false }: RigOptions = {}): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-journey-'));
  const system = await startSystem({
    dataDir,
    anyPort: true,
    without,
    env: { WAYPOST_LOG_LEVEL: 'silent', WAYPOST_BOOTSTRAP_KEY: KEY, ...env },
    engines: { testCommands, log: () => undefined },
  });

  async function graphql<T>(query: string, variables: object = {}): Promise<Answer<T>> {
    const response = await fetch(system.gatewayUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer<T>;
  }

  async function payload(query: string, input: object): Promise<LinkPayload> {
    const { data, errors } = await graphql<{ payload: LinkPayload | null }>(query, { input });
    if (!data?.payload) throw new Error(JSON.stringify(errors));
    return data.payload;
  }

  return {
    system,
    dataDir,
    graphql,
    createLink: (input) => payload(CREATE, input),
    updateLink: (input) => payload(UPDATE, input),
    visit: (shortUrl, init) => fetch(shortUrl, { redirect: 'manual', ...init }),
    async stop() {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Calls `probe` until it answers something, at most `withinMs`; the milliseconds that it took. */
export async function eventually(withinMs: number, probe: () => Promise<boolean> | boolean): Promise<number> {
  const start = performance.now();
  for (;;) {
    if (await probe()) return performance.now() - start;
    if (performance.now() - start > withinMs) throw new Error(`not so within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A link that must have been made. */
export function made({ link, problems }: LinkPayload): LinkNode {
  if (!link) throw new Error(JSON.stringify(problems));
  return link;
}
