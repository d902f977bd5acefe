import { ClientAddress } from '../runtime/client-address.js';
import { type Lifecycle, startParts } from '../runtime/lifecycle.js';

import { createLog, type Log } from '../runtime/log.js';
import { createMetrics, startMetricsServer } from '../runtime/metrics.js';
import { startApollo } from './apollo.js';
import { Authenticator } from './authentication.js';
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
export function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const log = createLog('gateway', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: GatewayConfig, life: Lifecycle, log: Log) {
  const { rpc, process } = config;
  const metrics = createMetrics('gateway');
  const services = connectServices(config.services, rpc);
  life.add('clients', { stop: async () => services.close() });
  const health = new ServiceHealth(config.services, rpc);
  life.add('health', { stop: async () => health.close() });
  const failures = new Failures(log);
  const observation = new Observation(log, metrics);
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
  log.info({ address: server.address, metrics: monitor.url }, 'ready');
  return { address: server.address, url: `http://${server.address}${GRAPHQL_PATH}`, metricsUrl: monitor.url };
}

function graphiql(log: Log): GraphiqlFile[] | undefined {
  try {
    return readGraphiql(GRAPHQL_PATH);
  } catch (error) {
    log.warn({ err: error }, 'no GraphiQL page: its packages are not installed');
    return undefined;
  }
}
