import { Lifecycle } from '../runtime/lifecycle.js';
import { createLog, type Log } from '../runtime/log.js';
import { createMetrics, startMetricsServer } from '../runtime/metrics.js';
import { startApollo } from './apollo.js';
import { Authenticator } from './authentication.js';
import { ClientAddress } from './client-address.js';
import type { GatewayConfig } from './config.js';
import { Failures } from './failures.js';
import { type GraphiqlFile, readGraphiql } from './graphiql.js';
import { ServiceHealth } from './health.js';
import { Observation } from './observation.js';
import { GRAPHQL_PATH, startServer } from './server.js';
import { connectServices } from './services.js';

export interface RunningGateway {
  /** host:port as bound */
  address: string;
  /** Of the GraphQL API */
  url: string;
  metricsUrl: string;
  stop(): Promise<void>;
}

/** The public GraphQL API over the services: says who asks, what they may ask, and translates. */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const { rpc, process } = config;
  const log = createLog('gateway', process.logLevel);
  const life = new Lifecycle(log);
  const metrics = createMetrics('gateway');
  const services = connectServices(config.services, rpc);
  life.add('clients', { stop: async () => services.close() });
  const health = new ServiceHealth(config.services, rpc);
  life.add('health', { stop: async () => health.close() });
  const failures = new Failures(log);
  const observation = new Observation(log, metrics);
  try {
    const monitor = await startMetricsServer(config.metricsAddress, metrics, () => health.check());
    life.add('metrics', monitor);
    const apollo = await startApollo({ introspection: process.development, failures, observation, log });
    const server = await startServer({
      address: config.address,
      apollo,
      services,
      authenticator: new Authenticator(services.tenant, rpc.contextKeys),
      keys: rpc.contextKeys,
      clients: new ClientAddress(config.trustedProxies),
      failures,
      observation,
      graphiql: process.development ? graphiql(log) : undefined,
    });
    life.add('server', server);
    log.info({ address: server.address }, 'ready');
    const url = `http://${server.address}${GRAPHQL_PATH}`;
    return { address: server.address, url, metricsUrl: monitor.url, stop: () => life.stop() };
  } catch (error) {
    await life.stop();
    throw error;
  }
}

function graphiql(log: Log): GraphiqlFile[] | undefined {
  try {
    return readGraphiql(GRAPHQL_PATH);
  } catch (error) {
    log.warn({ err: error }, 'no GraphiQL page: its packages are not installed');
    return undefined;
  }
}
