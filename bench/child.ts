import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Env } from '../runtime/env.js';
import type { Options } from './options.js';
import { onServerCpu, type Pinning } from './pinning.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_MS = 60_000;
const END_MS = 15_000;
const IMPORTS = ['--import', 'tsx', '--import', './bench/end-with-parent.ts'];

export interface Child {
  pid: number;
  stop(): Promise<void>;
}

/** Any program as a process on the servers' CPU. */
export async function startChild(pinning: Pinning, command: readonly string[], env: Env = {}): Promise<Child> {
  return (await launch(pinning, command, env)).child;
}

/**
 * A module of ours as a process of its own on the servers' CPU, run as `npm start` runs it. Resolves with the line that says
 * ready, the JSON that every main.ts logs. @throws with the output when it ends or says nothing within a minute
 */
export async function startModule<Ready>(
  { pinning, profile }: { pinning: Pinning } & Pick<Options, 'profile'>,
  module: string,
  env: Env,
  argument = '',
): Promise<Child & { ready: Ready }> {
  const profiling = profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : [];
  const { child, spawned } = await launch(pinning, [process.execPath, ...profiling, ...IMPORTS, module, argument], env);
  try {
    return { ...child, ready: (await readyLine(spawned, module)) as Ready };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function launch(pinning: Pinning, command: readonly string[], env: Env) {
  const [program = '', ...rest] = onServerCpu(pinning, command);
  const spawned = spawn(program, rest, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    // A channel for end-with-parent.ts; a group of its own, so that Ctrl-C in the terminal reaches this process alone, which
    // stops all in order.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const ended = once(spawned, 'exit');
  ended.catch(() => undefined);
  await once(spawned, 'spawn');
  async function stop(): Promise<void> {
    if (spawned.exitCode !== null || spawned.signalCode !== null) return;
    spawned.kill('SIGTERM');
    const late = setTimeout(() => spawned.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(late);
  }
  return { spawned, child: { pid: spawned.pid as number, stop } };
}

function readyLine(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let output = '';
    let ready = false;
    const fail = (why: string) => reject(new Error(`${name} ${why}\n${output}`));
    const late = setTimeout(() => fail(`was not ready within ${READY_MS} ms`), READY_MS);
    const read = (chunk: Buffer): void => {
      // Still read afterwards: a full pipe would stop the process.
      if (ready) return;
      output += chunk;
      const line = /^\{.*"message":"ready".*\}$/m.exec(output)?.[0];
      if (!line) return;
      ready = true;
      clearTimeout(late);
      resolve(JSON.parse(line));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      fail(`ended with ${code ?? signal}`);
    });
  });
}

/** For a module that is started so. */
export function sayReady(fields: object): void {
  console.log(JSON.stringify({ ...fields, message: 'ready' }));
}
