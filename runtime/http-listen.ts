import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ListeningHttp {
  /** host:port as bound */
  address: string;
  /** Takes no new connections, lets requests under way end, cuts what is left after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 5_000;
/** A connection without a request is cut after so long: its first one may be on its way. */
const UNUSED_GRACE_MS = 500;
const SWEEP_MS = 50;

/** Listens on host:port (0: a free one); rejects when the port is taken. */
export async function listenHttp(server: Server, address: string): Promise<ListeningHttp> {
  const { host, port } = splitAddress(address);
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      // A failed accept (no descriptors, no memory) ends that connection, not the process.
      server.on('error', () => undefined);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    async stop(graceMs = GRACE_MS) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Again and again: a connection whose request ends meanwhile would stay open for the next one.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const cutUnused = setTimeout(() => {
        for (const socket of unused) socket.destroy();
      }, UNUSED_GRACE_MS);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cutUnused);
      clearTimeout(cut);
    },
  };
}

/** `[::1]:80` and `127.0.0.1:80` into their halves. */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}
