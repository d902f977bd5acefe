import { createServer } from 'node:net';
import type { Env } from '../runtime/env.js';
import { splitAddress } from '../runtime/http-listen.js';
import { freePort } from './engine-port.js';

/** The documented ports (decisions 32), by the settings that change them. */
const DEFAULTS: Record<string, string> = {
  WAYPOST_GATEWAY_ADDRESS: '127.0.0.1:4000',
  WAYPOST_REDIRECT_ADDRESS: '127.0.0.1:8080',
  WAYPOST_TENANT_ADDRESS: '127.0.0.1:7001',
  WAYPOST_LINK_ADDRESS: '127.0.0.1:7002',
  WAYPOST_DOMAIN_ADDRESS: '127.0.0.1:7003',
  WAYPOST_RISK_ADDRESS: '127.0.0.1:7004',
  WAYPOST_STATS_ADDRESS: '127.0.0.1:7005',
  WAYPOST_GATEWAY_METRICS_ADDRESS: '127.0.0.1:9100',
  WAYPOST_REDIRECT_METRICS_ADDRESS: '127.0.0.1:9101',
  WAYPOST_TENANT_METRICS_ADDRESS: '127.0.0.1:9102',
  WAYPOST_LINK_METRICS_ADDRESS: '127.0.0.1:9103',
  WAYPOST_DOMAIN_METRICS_ADDRESS: '127.0.0.1:9104',
  WAYPOST_RISK_METRICS_ADDRESS: '127.0.0.1:9105',
  WAYPOST_STATS_METRICS_ADDRESS: '127.0.0.1:9106',
};

export type Addresses = Record<string, string>;

/** For each: the one that is set, else the documented port, else the next that is free (`anyPort`: any). */
export async function chooseAddresses(env: Env, anyPort: boolean): Promise<Addresses> {
  const chosen: Addresses = {};
  const taken = new Set<number>();
  for (const [name, fallback] of Object.entries(DEFAULTS)) {
    const given = env[name];
    if (given) chosen[name] = given;
    else {
      const { host, port } = splitAddress(fallback);
      const free = anyPort ? await untaken(taken) : await nextFree(host, port, taken);
      taken.add(free);
      chosen[name] = `${host}:${free}`;
    }
  }
  return chosen;
}

async function untaken(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (!taken.has(port)) return port;
  }
}

async function nextFree(host: string, from: number, taken: ReadonlySet<number>): Promise<number> {
  for (let port = from; port < 65_536; port += 1) {
    if (!taken.has(port) && (await canBind(host, port))) return port;
  }
  throw new Error(`no free port from ${from} on`);
}

function canBind(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}
