import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerReader, Load } from './load.js';

const ANSWERS = ['', 'x', 'a body\r\n\r\nthat looks like a head'].map((body) => ({
  status: body === '' ? 302 : 404,
  bytes: Buffer.from(
    `HTTP/1.1 ${body === '' ? '302 Found' : '404 Not Found'}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ),
}));

it('an answer is whole at its last byte, however it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...ANSWERS), { minLength: 1 }),
      fc.integer({ min: 1, max: 60 }),
      (all, size) => {
        const reader = new AnswerReader();
        for (const { status, bytes } of all) {
          for (let at = 0; at < bytes.length; at += size) {
            const whole = at + size >= bytes.length;
            expect(reader.take(bytes.subarray(at, at + size))).toBe(whole ? status : undefined);
          }
        }
      },
    ),
  );
});

it('every request is answered once, and other statuses are told apart', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    response.writeHead(request.url === '/odd' ? 404 : 302, { 'content-length': 4 }).end('body');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let n = 0;
  const load = new Load({
    port: (server.address() as AddressInfo).port,
    connections: 4,
    status: 302,
    next: () => Buffer.from(`GET ${n++ % 10 === 0 ? '/odd' : '/even'} HTTP/1.1\r\nHost: a\r\n\r\n`),
  });
  const sample = await load.measure(300);
  await load.stop();
  server.close();
  expect(sample.answers).toBeGreaterThan(100);
  expect(sample.p99Us).toBeGreaterThanOrEqual(sample.p50Us);
  expect(load.answers).toBe(requests);
  expect(n).toBe(requests);
  expect(load.unexpected).toBe(Math.ceil(n / 10));
});

it('a server that goes away is an error, not a slow server', async () => {
  const server = createServer((_request, response) => response.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as AddressInfo).port;
  const load = new Load({
    port,
    connections: 2,
    status: 302,
    next: () => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  });
  await expect(load.measure(100)).rejects.toThrow();
  await load.stop();
  server.close();
});
