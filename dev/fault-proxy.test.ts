import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';

let echo: Server;
let proxy: FaultProxy;
let received: number;
let clients: Socket[];

beforeEach(async () => {
  received = 0;
  clients = [];
  echo = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.length;
      socket.write(bytes);
    });
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultProxy((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await proxy.stop();
  await new Promise((resolve) => echo.close(resolve));
});

async function client(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function heard(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0]);
}

async function errorCode(socket: Socket): Promise<string | undefined> {
  return (await once(socket, 'error'))[0].code;
}

test('without a fault bytes and ends pass both ways', async () => {
  const socket = await client();
  socket.write('a');
  expect(await heard(socket)).toBe('a');
  socket.end('b');
  expect(await heard(socket)).toBe('b');
  await once(socket, 'end');
});

test('large transfers pass whole and in order although a lane holds little', async () => {
  const socket = await client();
  const sent = Buffer.alloc(8_000_000, 'waypost');
  const chunks: Buffer[] = [];
  socket.on('data', (bytes) => chunks.push(bytes));
  socket.end(sent);
  await once(socket, 'end');
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
});

test('a delay holds each way back by its time, and what is held comes at once when it is lifted', async () => {
  const socket = await client();
  proxy.setFault({ kind: 'delay', ms: 50 });
  const sentAt = Date.now();
  socket.write('a');
  expect(await heard(socket)).toBe('a');
  expect(Date.now() - sentAt).toBeGreaterThanOrEqual(98);

  proxy.setFault({ kind: 'delay', ms: 3_600_000 });
  socket.write('b');
  await expect.poll(() => proxy.taken.toServer).toBe(2);
  proxy.setFault({ kind: 'none' });
  expect(await heard(socket)).toBe('b');
});

test('a drop keeps old and new connections open without an answer, and resets those that lost bytes when it is lifted', async () => {
  const old = await client();
  const idle = await client();
  proxy.setFault({ kind: 'drop' });
  const fresh = await client();
  old.write('a');
  fresh.write('b');
  await expect.poll(() => proxy.taken.toServer).toBe(2);
  expect(received).toBe(0);
  expect([old.closed, fresh.closed]).toEqual([false, false]);

  const resets = Promise.all([errorCode(old), errorCode(fresh)]);
  proxy.setFault({ kind: 'none' });
  expect(await resets).toEqual(['ECONNRESET', 'ECONNRESET']);
  idle.write('c');
  expect(await heard(idle)).toBe('c');
});

test('a drop of the answers alone lets the server do the work', async () => {
  const socket = await client();
  proxy.setFault({ kind: 'drop', only: 'toClient' });
  const answers: unknown[] = [];
  socket.on('data', (bytes) => answers.push(bytes));
  socket.write('work');
  await expect.poll(() => received).toBe(4);
  expect(answers).toEqual([]);
});

test('a drop swallows any amount in bounded memory', async () => {
  const socket = await client();
  proxy.setFault({ kind: 'drop' });
  const before = process.memoryUsage().arrayBuffers;
  const block = Buffer.alloc(1_000_000);
  for (let sent = 0; sent < 200; sent += 1) {
    if (!socket.write(block)) await once(socket, 'drain');
  }
  await expect.poll(() => proxy.taken.toServer).toBe(200_000_000);
  expect(received).toBe(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
});

test('a reset cuts what is open and refuses what is new, until it is lifted', async () => {
  const socket = await client();
  const cut = errorCode(socket);
  proxy.setFault({ kind: 'reset' });
  expect(await cut).toBe('ECONNRESET');
  const refused = connect(proxy.port, '127.0.0.1');
  expect(await errorCode(refused)).toBe('ECONNRESET');

  proxy.setFault({ kind: 'none' });
  const after = await client();
  after.write('a');
  expect(await heard(after)).toBe('a');
});

test('a server that is down is seen as a cut connection', async () => {
  await new Promise((resolve) => echo.close(resolve));
  const socket = connect(proxy.port, '127.0.0.1');
  expect(await errorCode(socket)).toBe('ECONNRESET');
});
