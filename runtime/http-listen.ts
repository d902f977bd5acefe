import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningHttp {
  /** host:port as bound */
  address: string;
  /** Takes no new connections, lets requests under way end, cuts what is left after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 5_000;

/** Listens on host:port (0: a free one); rejects when the port is taken. */
export async function listenHttp(server: Server, address: string): Promise<ListeningHttp> {
  const { host, port } = splitAddress(address);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    async stop(graceMs = GRACE_MS) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** `[::1]:80` and `127.0.0.1:80` into their halves. */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}
