import { spawnSync } from 'node:child_process';
import { allowedCpus } from './proc.js';

/** Which CPU has what: all servers, MongoDB, Redis and NATS among them, have one; the load has another. */
export interface Pinning {
  /** Undefined: nothing is pinned. */
  server: number | undefined;
  load: number | undefined;
  /** What the report says of it. */
  description: string;
}

/** Pins this process, which makes the load. Without taskset or a second CPU nothing is pinned, and the report says so. */
export function pinLoad(): Pinning {
  const [server, load] = allowedCpus();
  if (load === undefined) {
    return {
      server: undefined,
      load: undefined,
      description: 'one CPU: servers and load share it, so no rate here is a server’s own',
    };
  }
  const pinned = spawnSync('taskset', ['-a', '-c', '-p', String(load), String(process.pid)]);
  if (pinned.status !== 0) return { server: undefined, load: undefined, description: 'no taskset: nothing is pinned' };
  return {
    server,
    load,
    description: `every server, MongoDB, Redis and NATS among them, on CPU ${server}; the load on CPU ${load}`,
  };
}

/** The command that runs another on the servers' CPU; what that starts stays there too. */
export function onServerCpu({ server }: Pinning, command: readonly string[]): string[] {
  return server === undefined ? [...command] : ['taskset', '-c', String(server), ...command];
}
