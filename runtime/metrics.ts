import { createServer } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { listenHttp } from './http-listen.js';

export interface Metrics {
  registry: Registry;
  /** grpc_server_handling_seconds{method,code} */
  rpcHandling: Histogram<'method' | 'code'>;
}

/** One registry for each service, so that several in one process don't mix. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const rpcHandling = new Histogram({
    name: 'grpc_server_handling_seconds',
    help: 'Time from a call to its answer.',
    labelNames: ['method', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return { registry, rpcHandling };
}

/** Each dependency by name; true while it answers. */
export type Readiness = () => Promise<Record<string, boolean>> | Record<string, boolean>;

export interface MetricsServer {
  /** http://host:port/metrics */
  url: string;
  stop(): Promise<void>;
}

/** /metrics for Prometheus, /healthz (the process lives) and /readyz (its dependencies answer, with their names). */
export async function startMetricsServer(
  address: string,
  metrics: Metrics,
  readiness: Readiness,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    void answer(path)
      .catch(() => ({ status: 500, type: 'text/plain', body: 'failed' }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type });
        response.end(body);
      });
  });

  async function answer(path: string): Promise<{ status: number; type: string; body: string }> {
    if (path === '/metrics') {
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
    }
    if (path === '/healthz') return { status: 200, type: 'text/plain', body: 'ok' };
    if (path === '/readyz') {
      const { ready, dependencies } = await judge();
      return { status: ready ? 200 : 503, type: 'application/json', body: JSON.stringify({ ready, dependencies }) };
    }
    return { status: 404, type: 'text/plain', body: 'not found' };
  }

  async function judge(): Promise<{ ready: boolean; dependencies: Record<string, boolean> }> {
    try {
      const dependencies = await readiness();
      return { ready: Object.values(dependencies).every(Boolean), dependencies };
    } catch {
      return { ready: false, dependencies: {} };
    }
  }

  const listening = await listenHttp(server, address);
  return { url: `http://${listening.address}/metrics`, stop: listening.stop };
}
