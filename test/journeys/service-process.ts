import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Role } from '../../dev/system.js';
import type { Env } from '../../runtime/env.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 20_000;

/** One role as a process of its own, by its main.ts. */
export interface Service {
  /** As bound. */
  port: number;
  metricsUrl: string;
  /** kill -9 */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves when the process says that it is ready; its log is read for the address. @throws with the log when it ends */
export async function startService(role: Role, env: Env): Promise<Service> {
  const settings = {
    ...env,
    WAYPOST_LOG_LEVEL: 'info',
    [`WAYPOST_${role.toUpperCase()}_METRICS_ADDRESS`]: '127.0.0.1:0',
  };
  const child = spawn(process.execPath, ['--import', 'tsx', `services/${role}/main.ts`], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [address, metricsUrl] = await whenReady(child, role);
  const ended = once(child, 'exit');
  return {
    port: Number(address.split(':').at(-1)),
    metricsUrl,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Its address and that of its metrics. */
function whenReady(child: ChildProcess, role: string): Promise<[string, string]> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`${role} ${why}\n${output}`));
    const late = setTimeout(() => fail(`was not ready within ${START_MS} ms`), START_MS);
    const read = (chunk: Buffer): void => {
      output += chunk;
      const ready = /"address":"([^"]+)","metrics":"([^"]+)","message":"ready"/.exec(output);
      if (!ready) return;
      clearTimeout(late);
      resolve([ready[1]!, ready[2]!]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}
