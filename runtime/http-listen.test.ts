import { once } from 'node:events';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ListeningHttp, listenHttp, splitAddress } from './http-listen.js';

let listening: ListeningHttp | undefined;
let held: ServerResponse[];
const agent = new Agent({ keepAlive: true });

afterEach(async () => {
  await listening?.stop(0);
  listening = undefined;
});

/** A server that holds every request until the test answers it. */
async function start(): Promise<ListeningHttp> {
  held = [];
  const server = createServer((_request, response) => {
    held.push(response);
  });
  listening = await listenHttp(server, '127.0.0.1:0');
  return listening;
}

/** The status of an answer, or the code of the failure. */
function ask({ address }: ListeningHttp): Promise<unknown> {
  return new Promise((resolve) => {
    get(`http://${address}/`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

async function isHeld(): Promise<void> {
  await expect.poll(() => held.length, { interval: 5 }).toBe(1);
}

test.each([
  ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
])('an address is a host and a port: %s', (address, halves) => {
  expect(splitAddress(address)).toEqual(halves);
});

test('port 0 becomes the port that was bound', async () => {
  const http = await start();
  expect(splitAddress(http.address).port).toBeGreaterThan(0);
});

test('a port that is taken is a failure of the start', async () => {
  const http = await start();
  await expect(listenHttp(createServer(), http.address)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a stop waits for the answer of a request under way, and for no connection that has none', async () => {
  const http = await start();
  const unused = connect(splitAddress(http.address));
  await once(unused, 'connect');
  const answer = ask(http);
  await isHeld();
  const began = performance.now();
  const stopped = http.stop();
  held[0]?.end('late');
  expect(await answer).toBe(200);
  await stopped;
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('a stop takes no new connections', async () => {
  const http = await start();
  const answer = ask(http);
  await isHeld();
  const stopped = http.stop();
  expect(await ask(http)).toBe('ECONNREFUSED');
  held[0]?.end();
  expect(await answer).toBe(200);
  await stopped;
});

test('a stop cuts what has no end after the grace', async () => {
  const http = await start();
  const answer = ask(http);
  await isHeld();
  const began = performance.now();
  await http.stop(100);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await answer).toBe('ECONNRESET');
});
