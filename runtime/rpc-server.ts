import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { AppError, isAppError } from './app-error.js';
import { toGrpcError } from './error-grpc.js';
import type { DerivedKey } from './keys.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { mongoFault } from './mongo-fault.js';
import { type Caller, type CallerContext, CONTEXT_KEY, verifyContext } from './rpc-context.js';
import { type RpcTls, serverOptions } from './rpc-options.js';
import { addReflection } from './rpc-reflection.js';

type Handler<M> = M extends {
  requestDeserialize: (value: Buffer) => infer Q;
  responseSerialize: (value: infer R) => Buffer;
}
  ? (request: Q, caller: Caller) => Promise<R>
  : never;

/** One handler for each method of a generated service definition. */
export type Handlers<S> = { [K in keyof S]: Handler<S[K]> };

export interface RpcServerOptions {
  /** host:port; port 0 takes a free one. */
  address: string;
  contextKeys: readonly DerivedKey[];
  tls?: RpcTls | undefined;
  /** Lets tools list and call methods; for development. */
  reflection: boolean;
  log: Log;
  metrics: Metrics;
  /** For a caller that sends no deadline; default 10 s. */
  defaultDeadlineMs?: number;
  /** How long a stop waits for calls under way; default 5 s. */
  drainMs?: number;
}

export interface RpcServer {
  /** host:port as bound. */
  address: string;
  /** Takes no new calls, lets those under way end (`drainMs`), then closes. */
  stop(): Promise<void>;
}

/** A caller that sends no deadline gets this one: no call is without (RP-3). */
const DEFAULT_DEADLINE_MS = 10_000;
const DRAIN_MS = 5_000;
/** A caller learns by its own clock that its deadline has passed; the server's only ends what nobody waits for. */
const DEADLINE_SLACK_MS = 100;
/** A deadline in the next century would overflow a timer, which then fires at once. */
const LONGEST_DEADLINE_MS = 3_600_000;

/** Serves one service with health and, in development, reflection. Every call but health needs a signed context. */
export async function startRpcServer<S extends object>(
  definition: S,
  handlers: Handlers<S>,
  options: RpcServerOptions,
): Promise<RpcServer> {
  const server = new Server(serverOptions());
  const implementation: Record<string, unknown> = {};
  for (const name of Object.keys(definition) as (keyof S & string)[]) {
    implementation[name] = unary(
      name,
      handlers[name] as (request: unknown, caller: Caller) => Promise<unknown>,
      options,
    );
  }
  server.addService(definition as never, implementation as never);
  const health = new HealthImplementation({ '': 'SERVING' });
  health.addToServer(server);
  if (options.reflection) await addReflection(server);

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, serverCredentials(options.tls), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const host = options.address.slice(0, options.address.lastIndexOf(':'));
  return {
    address: `${host}:${port}`,
    async stop() {
      health.setStatus('', 'NOT_SERVING');
      const force = setTimeout(() => server.forceShutdown(), options.drainMs ?? DRAIN_MS);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
    },
  };
}

function unary(
  method: string,
  handler: (request: unknown, caller: Caller) => Promise<unknown>,
  { contextKeys, log, metrics, defaultDeadlineMs = DEFAULT_DEADLINE_MS }: RpcServerOptions,
) {
  return (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>): void => {
    const end = metrics.rpcHandling.startTimer({ method });
    const reached = answer().then(
      (response) => {
        end({ code: 'OK' });
        reply(null, response);
      },
      (error: unknown) => {
        const shown = isAppError(error) ? error : (mongoFault(error) ?? internal(error));
        end({ code: shown.kind });
        if (shown.kind === 'INTERNAL') log.error({ err: error, method }, 'rpc failed');
        reply(toGrpcError(shown));
      },
    );
    reached.catch((error: unknown) => log.error({ err: error, method }, 'rpc not answered'));

    /** A peer with other keys looks to callers like a bad credential: the log says which it is. */
    function verified(bytes: Buffer | undefined): CallerContext {
      try {
        return verifyContext(bytes, contextKeys);
      } catch (error) {
        log.warn({ err: error, method }, 'context refused');
        throw error;
      }
    }

    async function answer(): Promise<unknown> {
      const token = call.metadata.get(CONTEXT_KEY)[0];
      const bytes = token instanceof Buffer ? token : undefined;
      const context = verified(bytes);
      const deadline = deadlineOf(call.getDeadline(), defaultDeadlineMs);
      const answered = handler(call.request, { ...context, token: bytes as Buffer, deadline });
      return Promise.race([answered, late(deadline, answered)]);
    }
  };
}

function deadlineOf(deadline: Date | number, otherwiseMs: number): number {
  const at = deadline instanceof Date ? deadline.getTime() : deadline;
  return Number.isFinite(at) ? Math.min(at, Date.now() + LONGEST_DEADLINE_MS) : Date.now() + otherwiseMs;
}

/** Rejects a little after the deadline, unless the answer is there by then. */
function late(deadline: number, answered: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const problem = { code: 'DEADLINE_EXCEEDED', message: 'The answer was not ready in time.' };
    const timer = setTimeout(
      () => reject(new AppError('DEADLINE_EXCEEDED', problem)),
      deadline - Date.now() + DEADLINE_SLACK_MS,
    ).unref();
    const clear = () => clearTimeout(timer);
    answered.then(clear, clear);
  });
}

/** What we did not foresee: the peer learns that it failed, the log learns why. */
function internal(error: unknown): AppError {
  return new AppError('INTERNAL', { code: 'INTERNAL', message: 'Internal error.' }, { cause: error });
}

function serverCredentials(tls: RpcTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(tls.ca, [{ private_key: tls.key, cert_chain: tls.cert }], true);
}
