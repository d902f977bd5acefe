import { createHash } from 'node:crypto';
import { ActorKind, ChangeSource } from '../gen/proto/waypost/context/v1/context.js';
import {
  CodeCase,
  type DomainGroup,
  DomainKind,
  DomainServiceService,
  DomainState,
} from '../gen/proto/waypost/domain/v1/domain_service.js';
import {
  type Link,
  LinkServiceService,
  LinkStatus,
  type LinkVersion,
} from '../gen/proto/waypost/link/v1/link_service.js';
import { RiskVerdict } from '../gen/proto/waypost/risk/v1/risk_service.js';
import { StatsServiceService } from '../gen/proto/waypost/stats/v1/stats_service.js';
import { TenantServiceService, TenantStatus } from '../gen/proto/waypost/tenant/v1/tenant_service.js';
import { composeLinkId, formatLinkId, ID_EPOCH_MS } from '../model/link-id.js';
import { AppError } from '../runtime/app-error.js';
import { createLog } from '../runtime/log.js';
import { createMetrics } from '../runtime/metrics.js';
import type { Caller } from '../runtime/rpc-context.js';
import { type Handlers, type RpcServer, startRpcServer } from '../runtime/rpc-server.js';
import { readConfig } from './config.js';
import { type RunningGateway, startGateway } from './service.js';

/**
 * For tests of the gateway alone: a gateway over real gRPC servers whose handlers the test writes. Journeys across the real
 * services are in test/.
 */
export interface Rig {
  gateway: RunningGateway;
  /** Calls that the services have received, in order. */
  calls: { method: string; request: unknown; caller: Caller }[];
  /** Calls of one method. */
  callsOf(method: string): { request: unknown; caller: Caller }[];
  send(document: string, options?: SendOptions): Promise<Answer>;
  post(body: string | Buffer, headers?: Record<string, string>): Promise<Answer>;
  stopService(name: 'tenant' | 'link' | 'domain' | 'stats'): Promise<void>;
  stop(): Promise<void>;
}

export interface SendOptions {
  variables?: Record<string, unknown> | undefined;
  operationName?: string;
  /** Name of one of CREDENTIALS; null for none. */
  as?: keyof typeof CREDENTIALS | null;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export type LinkHandlers = Partial<Handlers<typeof LinkServiceService>>;
export type DomainHandlers = Partial<Handlers<typeof DomainServiceService>>;
export type StatsHandlers = Partial<Handlers<typeof StatsServiceService>>;
export type TenantHandlers = Partial<Handlers<typeof TenantServiceService>>;

/** Keys by the role that they have. */
export const CREDENTIALS = {
  OWNER: 'owner-key-of-the-first-tenant-0000',
  ADMIN: 'admin-key-of-the-first-tenant-0000',
  EDITOR: 'editor-key-of-the-first-tenant-000',
  REVIEWER: 'reviewer-key-of-the-first-tenant-0',
  ANALYST: 'analyst-key-of-the-first-tenant-00',
  OPERATOR: 'operator-key-of-the-first-tenant-0',
  STRANGER: 'key-with-a-role-nobody-has-heard-of',
} as const;

const MASTER_KEYS = 'a-master-key-for-tests-of-no-other-use';
export const TENANT_ID = 'ten_01J00000000000000000000000';
export const GROUP_ID = 'grp_01J00000000000000000000000';
export const DOMAIN_ID = 'dom_01J00000000000000000000000';

export function linkId(n: number): string {
  return formatLinkId(composeLinkId({ ms: ID_EPOCH_MS + n, bucket: 1, worker: 2, sequence: 3 }));
}

const BOB = { id: 'key_bob', kind: ActorKind.API_KEY, name: '' };

export function link(n: number, given: Partial<Link> = {}): Link {
  return {
    id: linkId(n),
    groupId: GROUP_ID,
    shortCode: `code${n}`,
    shortUrl: `http://localhost:8080/code${n}`,
    targetUrl: `https://example.com/${n}`,
    status: LinkStatus.ACTIVE,
    risk: RiskVerdict.ALLOW,
    redirectType: 302,
    version: 3,
    tags: [],
    metadata: [],
    effectiveAt: undefined,
    expiresAt: undefined,
    createdAt: new Date('2030-01-31T10:00:00.000Z'),
    updatedAt: new Date('2030-01-31T10:00:00.123Z'),
    createdBy: BOB,
    updatedBy: { ...BOB, name: 'Bob' },
    ...given,
  };
}

export function linkVersion(n: number, version: number): LinkVersion {
  return {
    linkId: linkId(n),
    version,
    targetUrl: `https://example.com/v${version}`,
    actor: BOB,
    risk: RiskVerdict.WARN,
    source: ChangeSource.API,
    createdAt: new Date('2030-01-31T10:00:00.000Z'),
    enabled: true,
    effectiveAt: undefined,
    expiresAt: undefined,
  };
}

export function group(id = GROUP_ID, name = 'default'): DomainGroup {
  return {
    id,
    name,
    version: 1,
    codePolicy: { codeCase: CodeCase.SENSITIVE, codeLength: 8 },
    recommendedDomain: {
      id: DOMAIN_ID,
      groupId: id,
      hostname: 'localhost',
      displayName: 'localhost',
      kind: DomainKind.PLATFORM,
      state: DomainState.ACTIVE,
      stateSince: new Date('2030-01-31T10:00:00.000Z'),
      origin: 'http://localhost:8080',
    },
  };
}

const tenantHandlers: TenantHandlers = {
  async authenticate({ credentialSha256 }) {
    const found = Object.entries(CREDENTIALS).find(([, key]) =>
      createHash('sha256').update(key).digest().equals(credentialSha256),
    );
    if (!found) throw new AppError('UNAUTHENTICATED', { code: 'UNAUTHENTICATED', message: 'No.' });
    const actor = { id: `key_${found[0].toLowerCase()}`, kind: ActorKind.API_KEY, name: found[0] };
    return { tenantId: TENANT_ID, actor, scopes: [found[0]], policyVersion: 7 };
  },
  async getTenant(_request, { tenantId }) {
    const createdAt = new Date('2030-01-31T10:00:00.000Z');
    return { tenant: { id: tenantId, name: 'First', status: TenantStatus.ACTIVE, createdAt } };
  },
};

export interface RigOptions {
  tenant?: TenantHandlers;
  link?: LinkHandlers;
  domain?: DomainHandlers;
  stats?: StatsHandlers;
  env?: Record<string, string>;
}

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const calls: Rig['calls'] = [];
  const env = { WAYPOST_MASTER_KEYS: MASTER_KEYS, WAYPOST_LOG_LEVEL: 'silent', ...options.env };
  const { contextKeys } = readConfig(env).rpc;

  async function serve<S extends object>(definition: S, handlers: Partial<Handlers<S>>): Promise<RpcServer> {
    const recording = Object.fromEntries(
      Object.keys(definition).map((method) => [
        method,
        async (request: unknown, caller: Caller) => {
          calls.push({ method, request, caller });
          const handler = handlers[method as keyof S] as ((r: unknown, c: Caller) => Promise<unknown>) | undefined;
          if (!handler) throw new Error(`the test has no handler of ${method}`);
          return handler(request, caller);
        },
      ]),
    ) as unknown as Handlers<S>;
    const log = createLog('test', 'silent');
    const metrics = createMetrics('test');
    return startRpcServer(definition, recording, {
      address: '127.0.0.1:0',
      contextKeys,
      reflection: false,
      log,
      metrics,
    });
  }

  const servers = {
    tenant: await serve(TenantServiceService, { ...tenantHandlers, ...options.tenant }),
    link: await serve(LinkServiceService, options.link ?? {}),
    domain: await serve(DomainServiceService, options.domain ?? {}),
    stats: await serve(StatsServiceService, options.stats ?? {}),
  };
  const stopServices = () => Promise.all(Object.values(servers).map((server) => server.stop()));
  const gateway = await startGateway(
    readConfig({
      WAYPOST_GATEWAY_ADDRESS: '127.0.0.1:0',
      WAYPOST_GATEWAY_METRICS_ADDRESS: '127.0.0.1:0',
      WAYPOST_TENANT_ADDRESS: servers.tenant.address,
      WAYPOST_LINK_ADDRESS: servers.link.address,
      WAYPOST_DOMAIN_ADDRESS: servers.domain.address,
      WAYPOST_STATS_ADDRESS: servers.stats.address,
      // A busy machine is not what these tests are about.
      WAYPOST_RPC_READ_TIMEOUT_MS: '3000',
      ...env,
    }),
  ).catch(async (error: unknown) => {
    await stopServices();
    throw error;
  });

  async function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    return answerOf(
      await fetch(gateway.url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }),
    );
  }

  return {
    gateway,
    calls,
    callsOf: (method) => calls.filter((call) => call.method === method),
    post,
    send(query, { variables, operationName, as = 'OWNER', headers = {} } = {}) {
      const authorization: Record<string, string> = as ? { authorization: `Bearer ${CREDENTIALS[as]}` } : {};
      return post(JSON.stringify({ query, variables, operationName }), { ...authorization, ...headers });
    },
    stopService: (name) => servers[name].stop(),
    async stop() {
      await gateway.stop();
      await stopServices();
    },
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
}
