/** Loopback ports for the servers, and the first thing that a server says on one. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Below the range from which the system takes client ports: a client that keeps reconnecting cannot take the port of a server that is down. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 50;
const POLL_MS = 20;

/** A loopback port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Whether somebody listens; asked by connecting, because a trial `listen` could take the port from a server that is starting. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect').finally(() => socket.destroy());
  return true;
}

/** Connects, says `say`, and returns the first line of the answer. */
export async function firstLine(port: number, say: string, signal: AbortSignal): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, signal });
  socket.write(say);
  let heard = '';
  // Leaving the loop destroys the socket.
  for await (const chunk of socket) {
    heard += chunk;
    const end = heard.indexOf('\r\n');
    if (end >= 0) return heard.slice(0, end);
  }
  throw new Error('closed before it answered');
}

/** Calls `probe` until it returns true; a probe that throws has not succeeded yet. @throws when the signal aborts. */
export async function until(probe: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (await probe().catch(() => false)) return;
    await delay(POLL_MS);
  }
}
