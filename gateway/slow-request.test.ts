import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { ClientAddress } from '../runtime/client-address.js';
import { createLog } from '../runtime/log.js';
import { createMetrics } from '../runtime/metrics.js';
import { startApollo } from './apollo.js';
import { Failures } from './failures.js';
import { Observation } from './observation.js';
import { type GraphqlServer, startServer } from './server.js';

let server: GraphqlServer;
afterAll(() => server.stop());

it('a request that does not arrive in time is cut with 408, whether headers or body are late (G13)', async () => {
  const log = createLog('test', 'silent');
  const failures = new Failures(log);
  const observation = new Observation(log, createMetrics('test'));
  const apollo = await startApollo({ introspection: false, failures, observation, log });
  server = await startServer({
    address: '127.0.0.1:0',
    apollo,
    failures,
    observation,
    clients: new ClientAddress([]),
    graphiql: undefined,
    receiveMs: 200,
    // No request gets as far as a service.
    services: {} as never,
    authenticator: {} as never,
    keys: [],
  });
  const [, port] = server.address.split(':');
  const late = [
    'POST /graphql HTTP/1.1\r\nhost: x\r\n',
    'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  ];
  for (const text of late) {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.write(text);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  }
});
