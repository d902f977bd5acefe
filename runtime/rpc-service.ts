import type { Lifecycle } from './lifecycle.js';
import type { Log } from './log.js';
import { type Metrics, type Readiness, startMetricsServer } from './metrics.js';
import { type Handlers, startRpcServer } from './rpc-server.js';
import type { ProcessConfig, RpcConfig } from './settings.js';

export interface RpcServiceOptions {
  address: string;
  metricsAddress: string;
  process: ProcessConfig;
  rpc: RpcConfig;
  log: Log;
  metrics: Metrics;
  readiness: Readiness;
}

/** What every gRPC service answers when it has started. */
export interface RunningService {
  /** host:port of gRPC */
  address: string;
  metricsUrl: string;
  stop(): Promise<void>;
}

/** The end of every composition root: the gRPC server and its metrics, stopped before what they use. */
export async function serveRpc<S extends object>(
  life: Lifecycle,
  definition: S,
  handlers: Handlers<S>,
  options: RpcServiceOptions,
): Promise<Omit<RunningService, 'stop'>> {
  const { address, rpc, log, metrics } = options;
  const reflection = options.process.development;
  const server = await startRpcServer(definition, handlers, {
    address,
    contextKeys: rpc.contextKeys,
    tls: rpc.tls,
    reflection,
    log,
    metrics,
  });
  life.add('rpc', server);
  const monitor = life.add('metrics', await startMetricsServer(options.metricsAddress, metrics, options.readiness));
  log.info({ address: server.address, metrics: monitor.url }, 'ready');
  return { address: server.address, metricsUrl: monitor.url };
}
