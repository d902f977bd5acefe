import { setTimeout as delay } from 'node:timers/promises';
import { type ChannelCredentials, Client, credentials, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { fromGrpcError, isLostConnection } from './error-grpc.js';
import { type Caller, CONTEXT_KEY } from './rpc-context.js';
import { channelOptions, type RpcTls } from './rpc-options.js';

/** What ts-proto generates for a service: one entry per method. */
export type ServiceDefinition = Record<string, MethodDefinition<never, never> | { path: string }>;
type RequestOf<M> = M extends { requestSerialize: (value: infer Q) => Buffer } ? Q : never;
type ResponseOf<M> = M extends { responseDeserialize: (value: Buffer) => infer R } ? R : never;

/** `token` and `deadline` of a Caller are all that a call needs of it. */
export type CallFor = Pick<Caller, 'token' | 'deadline'>;

export interface RpcClient<S> {
  /**
   * Calls a method; the deadline is the nearer of the caller's and the client's own.
   * @throws AppError as the service threw it, or UNAVAILABLE / DEADLINE_EXCEEDED when it did not answer.
   */
  call<K extends keyof S>(method: K, request: RequestOf<S[K]>, caller: CallFor): Promise<ResponseOf<S[K]>>;
  close(): void;
}

export interface RpcClientOptions<S> {
  /** host:port */
  address: string;
  /** How error messages call the service, for example "The link service". */
  name: string;
  /** Methods without an effect, or that may be repeated: they have the short deadline and one retry. */
  idempotent: readonly (keyof S)[];
  timeouts: RpcTimeouts;
  tls?: RpcTls | undefined;
}

export interface RpcTimeouts {
  /** Milliseconds for an idempotent call, its retry included. */
  readMs: number;
  /** Milliseconds for any other call; longer than the database's longest commit wait (F-8). */
  writeMs: number;
}

const RETRY_PAUSE_MS = 50;

export function connectRpc<S extends object>(definition: S, options: RpcClientOptions<S>): RpcClient<S> {
  const client = new Client(options.address, channelCredentials(options.tls), channelOptions());

  function attempt<K extends keyof S>(method: K, request: RequestOf<S[K]>, token: Buffer, deadline: number) {
    const m = definition[method] as unknown as MethodDefinition<RequestOf<S[K]>, ResponseOf<S[K]>>;
    const metadata = new Metadata();
    metadata.set(CONTEXT_KEY, token);
    return new Promise<ResponseOf<S[K]>>((resolve, reject) => {
      client.makeUnaryRequest(
        m.path,
        m.requestSerialize,
        m.responseDeserialize,
        request,
        metadata,
        { deadline },
        (error, response) =>
          error ? reject(fromGrpcError(error, options.name)) : resolve(response as ResponseOf<S[K]>),
      );
    });
  }

  return {
    async call(method, request, caller) {
      const repeatable = options.idempotent.includes(method);
      const own = Date.now() + (repeatable ? options.timeouts.readMs : options.timeouts.writeMs);
      const deadline = Math.min(own, caller.deadline);
      try {
        return await attempt(method, request, caller.token, deadline);
      } catch (error) {
        // One retry of what may be repeated, by the layer next to the lost connection alone (security.md 4.2).
        const pause = RETRY_PAUSE_MS * (0.5 + Math.random());
        if (!repeatable || !isLostConnection(error) || Date.now() + pause >= deadline) throw error;
        await delay(pause);
        return attempt(method, request, caller.token, deadline);
      }
    },
    close: () => client.close(),
  };
}

function channelCredentials(tls: RpcTls | undefined): ChannelCredentials {
  return tls ? credentials.createSsl(tls.ca, tls.key, tls.cert) : credentials.createInsecure();
}
