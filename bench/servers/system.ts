/** A whole Waypost as one process, without the services that its argument names. What others need to reach it is in its ready line. */
import { ROLES, type Role, startSystem } from '../../dev/system.js';
import type { Env } from '../../runtime/env.js';
import { runMain } from '../../runtime/lifecycle.js';
import { sayReady } from '../child.js';

export interface SystemArgument {
  dataDir: string;
  /** Of the first tenant. */
  key: string;
  without: readonly Role[];
}

export interface SystemReady {
  gatewayUrl: string;
  mongodbUrl: string;
  /** The environment of each role. */
  env: Record<Role, Env>;
  /** Process numbers. */
  pids: { mongod: number; redis: number; nats: number };
}

await runMain(async () => {
  const { dataDir, key, without } = JSON.parse(process.argv[2] ?? '') as SystemArgument;
  const system = await startSystem({
    dataDir,
    anyPort: true,
    without,
    env: { WAYPOST_LOG_LEVEL: 'error', WAYPOST_BOOTSTRAP_KEY: key },
    engines: { log: () => undefined },
  });
  const { mongod, redis, nats, mongodbUrl } = system.engines;
  const ready: SystemReady = {
    gatewayUrl: system.gatewayUrl,
    mongodbUrl,
    env: Object.fromEntries(ROLES.map((role) => [role, system.envOf(role)])) as Record<Role, Env>,
    pids: { mongod: mongod!.pid, redis: redis!.pid, nats: nats!.pid },
  };
  sayReady(ready);
  return system;
});
