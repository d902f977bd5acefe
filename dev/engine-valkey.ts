/** valkey-server or redis-server as a cache: nothing on disk but its users. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstLine, until } from './engine-port.js';
import type { EnginePlan } from './engine-process.js';

/** Writes the ACL file when there are users to restrict. */
export async function planValkey(binary: string, dir: string, port: number, acl?: string): Promise<EnginePlan> {
  const aclFile = join(dir, 'users.acl');
  // Removed first, because an existing file would keep its mode.
  await rm(aclFile, { force: true });
  if (acl !== undefined) await writeFile(aclFile, acl, { mode: 0o600 });
  const command: EnginePlan['command'] = [
    binary,
    ...['--dir', dir, '--port', String(port), '--bind', '127.0.0.1'],
    ...['--save', '', '--appendonly', 'no', '--maxmemory', '256mb', '--maxmemory-policy', 'allkeys-lfu'],
    // Else the server replaces its command line, by which a later start knows that the process is ours.
    ...['--set-proc-title', 'no'],
    ...(acl === undefined ? [] : ['--aclfile', aclFile]),
  ];
  return { command, ready: (signal) => until(() => answers(port, signal), signal) };
}

/** A refusal without a password is an answer too. */
async function answers(port: number, signal: AbortSignal): Promise<boolean> {
  return /^(\+PONG|-NOAUTH|-NOPERM)/.test(await firstLine(port, 'PING\r\n', signal));
}
