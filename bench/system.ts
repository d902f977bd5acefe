import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import type { Role } from '../dev/system.js';
import type { Env } from '../runtime/env.js';
import { type Child, startModule } from './child.js';
import type { Bench } from './scenario.js';
import type { SystemArgument, SystemReady } from './servers/system.js';

export interface BenchSystem extends SystemReady {
  /** Of the process that has the services. */
  pid: number;
  /** API key of the first tenant. */
  key: string;
  /** Databases of its MongoDB; by default the one of its services. */
  db(name?: string): Db;
}

const DATABASE = 'waypost';

/** The system without some services, in a process of its own. Databases that others have named already are not used. */
export async function startBenchSystem(bench: Bench, without: readonly Role[]): Promise<BenchSystem> {
  bench.say('starting MongoDB, Redis, NATS and the services');
  const key = randomBytes(24).toString('base64url');
  const argument: SystemArgument = { dataDir: join(bench.dir, 'system'), key, without };
  const child = await startModule<SystemReady>(bench, 'bench/servers/system.ts', {}, JSON.stringify(argument));
  bench.life.add('system', child);
  const mongo = await MongoClient.connect(child.ready.mongodbUrl);
  bench.life.add('mongodb client', { stop: () => mongo.close() });
  return { ...child.ready, pid: child.pid, key, db: (name = DATABASE) => mongo.db(name) };
}

export interface Server extends Child {
  port: number;
  /** Absent where it has none. */
  metricsUrl?: string;
}

/** A module whose ready line has its address, stopped at the end. */
export async function startServer(
  bench: Bench,
  name: string,
  module: string,
  env: Env,
  argument = '',
): Promise<Server> {
  const child = await startModule<{ address: string; metrics?: string }>(bench, module, env, argument);
  bench.life.add(name, child);
  const port = Number(child.ready.address.split(':').at(-1));
  return { ...child, port, ...(child.ready.metrics ? { metricsUrl: child.ready.metrics } : {}) };
}

const ANY_PORT = '127.0.0.1:0';

/** A redirect process of the product, or another composition of its parts. */
export function startPod(
  bench: Bench,
  system: BenchSystem,
  name: string,
  { env = {}, module = 'services/redirect/main.ts' }: { env?: Env; module?: string } = {},
): Promise<Server> {
  return startServer(bench, name, module, {
    ...system.env.redirect,
    WAYPOST_LOG_LEVEL: 'info',
    WAYPOST_REDIRECT_ADDRESS: ANY_PORT,
    WAYPOST_REDIRECT_METRICS_ADDRESS: ANY_PORT,
    WAYPOST_REDIRECT_DATA_DIR: join(bench.dir, name),
    ...env,
  });
}
