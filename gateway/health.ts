import type { MethodDefinition } from '@grpc/grpc-js';
import { connectRpc } from '../runtime/rpc-client.js';
import type { RpcConfig } from '../runtime/settings.js';

/**
 * grpc.health.v1.Health/Check for the whole server: an empty request; the answer's only field is the status, 1 for
 * SERVING. Written out because two bytes need no generated code.
 */
const HealthService = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => null,
    responseSerialize: (serving: boolean) => Buffer.from([8, serving ? 1 : 2]),
    responseDeserialize: (bytes: Buffer) => bytes.equals(Buffer.from([8, 1])),
  } satisfies MethodDefinition<null, boolean>,
};

/** Asks each service whether it serves, over channels that the calls of requests share. */
export class ServiceHealth {
  readonly #clients;
  readonly #readMs: number;

  constructor(addresses: Record<string, string>, { timeouts, tls }: RpcConfig) {
    this.#readMs = timeouts.readMs;
    this.#clients = Object.entries(addresses).map(([name, address]) => ({
      name,
      client: connectRpc(HealthService, { address, name, idempotent: ['check'], timeouts, tls }),
    }));
  }

  /** True for each service, by name, that answers and serves. */
  async check(): Promise<Record<string, boolean>> {
    const caller = { token: Buffer.alloc(0), deadline: Date.now() + this.#readMs };
    const entries = this.#clients.map(async ({ name, client }) => {
      const serving = await client.call('check', null, caller).catch(() => false);
      return [name, serving] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  close(): void {
    for (const { client } of this.#clients) client.close();
  }
}
