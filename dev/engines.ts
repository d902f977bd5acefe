/**
 * The real MongoDB, Valkey (or Redis) and NATS, as children on loopback ports with their data under one directory: what `npm start`
 * and the tests run on. A server that the caller names by its URL is used as it is.
 */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineName, findEngines } from './engine-binaries.js';
import { claimDataDir } from './engine-claim.js';
import { mongodUrl, planMongod } from './engine-mongod.js';
import { planNats } from './engine-nats.js';
import { freePort } from './engine-port.js';
import { type EnginePlan, EngineProcess, EngineStartError } from './engine-process.js';
import { planValkey } from './engine-valkey.js';

const NAMES = ['mongod', 'valkey', 'nats'] as const;
const DIRECTORIES: Record<EngineName, string> = { mongod: 'mongodb', valkey: 'redis', nats: 'nats' };
const PORT_ATTEMPTS = 5;

export interface EngineOptions {
  /** Created when absent. One start at a time uses it. */
  dataDir: string;
  /** mongod accepts `configureFailPoint`. For tests alone. */
  testCommands?: boolean;
  /** More NATS configuration, such as an `authorization {…}` block; is given the server's directory. */
  natsConfig?: (dir: string) => string;
  /** Users in the format of an ACL file, one a line. */
  redisAcl?: string;
  /** Servers that run already; none is started in their place. */
  external?: { mongodbUrl?: string; redisUrl?: string; natsUrl?: string };
  /** Fixed ports; else each server gets a free one. */
  ports?: { mongodb?: number; redis?: number; nats?: number };
  /** Is told when a server ends although nobody asked it to. */
  onExit?: (name: string, how: string) => void;
  /** Is told, a line each, what a person who waits should know. */
  log?: (line: string) => void;
}

export interface Engines {
  mongodbUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Those that were started here, for tests that kill, freeze or restart one. */
  mongod?: EngineProcess;
  redis?: EngineProcess;
  nats?: EngineProcess;
  /** Ends what was started and gives the data directory back. */
  stop(): Promise<void>;
}

/** Resolves when all three can be used. @throws when one cannot be found or started, after ending those that were. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const { external = {}, ports = {}, log = console.log } = options;
  const given = { mongod: external.mongodbUrl, valkey: external.redisUrl, nats: external.natsUrl };
  const needed = NAMES.filter((name) => !given[name]);
  const binaries = await findEngines(needed, { log });

  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  // The real path, because a later start looks for it in command lines.
  const dataDir = await realpath(options.dataDir);
  const release = needed.length > 0 ? await claimDataDir(dataDir, log) : async () => {};
  const fixed = { mongod: ports.mongodb, valkey: ports.redis, nats: ports.nats };
  const results = await Promise.allSettled(
    needed.map((name) => start(name, binaries.get(name)!.path, dataDir, fixed[name], options)),
  );

  const engines = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : [],
  );
  let stopping: Promise<void> | undefined;
  // Once: by a second call the directory may be another's.
  function stop(): Promise<void> {
    stopping ??= Promise.all(engines.map((engine) => engine.stop())).then(release);
    return stopping;
  }
  if (failures.length > 0) {
    await stop();
    throw new Error(failures.join('\n'));
  }

  const [mongod, redis, nats] = NAMES.map((name) => engines.find((engine) => engine.name === name));
  return {
    mongodbUrl: external.mongodbUrl || mongodUrl(mongod!.port),
    redisUrl: external.redisUrl || `redis://127.0.0.1:${redis!.port}`,
    natsUrl: external.natsUrl || `nats://127.0.0.1:${nats!.port}`,
    mongod,
    redis,
    nats,
    stop,
  };
}

/** Starts one server; on another free port when its own was taken meanwhile. */
async function start(
  name: EngineName,
  binary: string,
  dataDir: string,
  fixedPort: number | undefined,
  options: EngineOptions,
): Promise<EngineProcess> {
  const dir = join(dataDir, DIRECTORIES[name]);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const port = fixedPort ?? (await freePort());
    const plan = await planOf(name, binary, dir, port, options);
    try {
      return await EngineProcess.start({ name, dataDir, dir, port, plan, onExit: options.onExit });
    } catch (error) {
      const again = error instanceof EngineStartError && error.portTaken && fixedPort === undefined;
      if (!again || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function planOf(
  name: EngineName,
  binary: string,
  dir: string,
  port: number,
  options: EngineOptions,
): Promise<EnginePlan> {
  switch (name) {
    case 'mongod':
      return planMongod(binary, dir, port, options.testCommands ?? false);
    case 'valkey':
      return planValkey(binary, dir, port, options.redisAcl);
    case 'nats':
      return planNats(binary, dir, port, options.natsConfig?.(dir) ?? '');
  }
}
