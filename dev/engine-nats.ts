/**
 * nats-server with JetStream in a file store. `sync_interval` keeps its default: a new message is in the page cache first, which
 * outlives the process but not the machine.
 */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstLine, until } from './engine-port.js';
import type { EnginePlan } from './engine-process.js';

/** Writes the configuration, with the caller's text at its end. */
export async function planNats(binary: string, dir: string, port: number, extra: string): Promise<EnginePlan> {
  const file = join(dir, 'nats.conf');
  // Proves, in the greeting, that the server on the port is this one.
  const name = `waypost-${randomUUID()}`;
  const config = [
    `server_name: ${name}`,
    `listen: "127.0.0.1:${port}"`,
    `jetstream { store_dir: ${JSON.stringify(join(dir, 'store'))} }`,
    extra,
  ];
  // Removed first, because an existing file would keep its mode.
  await rm(file, { force: true });
  await writeFile(file, `${config.join('\n')}\n`, { mode: 0o600 });
  return { command: [binary, '--config', file], ready: (signal) => until(() => greets(port, name, signal), signal) };
}

/** The server greets only after it recovered its streams. */
async function greets(port: number, name: string, signal: AbortSignal): Promise<boolean> {
  const greeting = await firstLine(port, '', signal);
  return greeting.startsWith('INFO ') && greeting.includes(`"server_name":"${name}"`);
}
