import { afterEach, expect, test } from 'vitest';
import { createMetrics, type Metrics, type MetricsServer, type Readiness, startMetricsServer } from './metrics.js';

const running: MetricsServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function start(readiness: Readiness = () => ({}), metrics: Metrics = createMetrics('test')): Promise<string> {
  const server = await startMetricsServer('127.0.0.1:0', metrics, readiness);
  running.push(server);
  return server.url.replace(/\/metrics$/, '');
}

test('/metrics answers what was measured, in the text form of Prometheus, under the name of the service', async () => {
  const metrics = createMetrics('test');
  metrics.rpcHandling.observe({ method: 'judgeUrl', code: 'OK' }, 0.004);
  const response = await fetch(`${await start(undefined, metrics)}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(text).toMatch(
    /grpc_server_handling_seconds_bucket\{le="0.005",service="test",method="judgeUrl",code="OK"\} 1/,
  );
  expect(text).toMatch(/process_cpu_seconds_total\{service="test"\}/);
});

test('the metrics of two services in one process do not mix', async () => {
  const [one, two] = [createMetrics('one'), createMetrics('two')];
  one.rpcHandling.observe({ method: 'x', code: 'OK' }, 1);
  expect(await two.registry.metrics()).not.toContain('method="x"');
  expect(await two.registry.metrics()).not.toContain('service="one"');
});

test('/healthz answers while the process lives, whatever its dependencies do', async () => {
  const response = await fetch(`${await start(() => ({ mongodb: false }))}/healthz`);
  expect(response.status).toBe(200);
});

test('/readyz is 200 while every dependency answers, else 503 with the names of those that do not', async () => {
  let mongodb = true;
  const base = await start(async () => ({ mongodb, nats: true }));
  const ready = await fetch(`${base}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ ready: true, dependencies: { mongodb: true, nats: true } });
  mongodb = false;
  const unready = await fetch(`${base}/readyz?verbose`);
  expect(unready.status).toBe(503);
  expect(await unready.json()).toEqual({ ready: false, dependencies: { mongodb: false, nats: true } });
});

test('a readiness check that fails makes the process unready, it does not end it', async () => {
  const base = await start(() => Promise.reject(new Error('mongodb://user:hunter2@one.example is away')));
  const response = await fetch(`${base}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain('hunter2');
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
});

test('a metric that cannot be collected is a 500, it does not end the process', async () => {
  const metrics = createMetrics('test');
  metrics.registry.metrics = () => Promise.reject(new Error('collect failed'));
  const base = await start(undefined, metrics);
  expect((await fetch(`${base}/metrics`)).status).toBe(500);
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
});

test('anything else is 404', async () => {
  const base = await start();
  expect((await fetch(`${base}/`)).status).toBe(404);
  expect((await fetch(`${base}/metricsx`)).status).toBe(404);
});
