import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LinkSnapshot, snapshotKey } from '../../model/snapshot.js';
import type { ListeningHttp } from '../../runtime/http-listen.js';
import { createLog } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo } from '../../runtime/mongo.js';
import { Redis } from '../../runtime/redis.js';
import { hold } from './decision.js';
import { HostRegistry } from './hosts.js';
import { LinkCache } from './link-cache.js';
import { createLoadGuard } from './load-guard.js';
import { RedirectMetrics } from './redirect-metrics.js';
import { Resolver } from './resolve.js';
import { startRedirectServer } from './server.js';
import { RedirectStore } from './store.js';
import type { Visit } from './visit.js';

/**
 * The real server with links in L1, and with every engine away: what leaves L1 is answered 503, so a 404 here also
 * proves that nothing was looked up.
 */
const NOWHERE = '127.0.0.1:9';
const TARGET = 'https://target.example/a?b=1&c=%20#d';
const log = createLog('redirect', 'silent');
const redis = new Redis({ url: `redis://${NOWHERE}`, name: 'test', log });
const mongo = new Mongo({
  ...{ url: `mongodb://${NOWHERE}`, database: 'test', timeoutMs: 500, commitWaitMs: 500, appName: 'test' },
});
const hosts = new HostRegistry();
const cache = new LinkCache({ entries: 100, ttlMs: 60_000, staleMaxMs: 60_000 });
const metrics = new RedirectMetrics(createMetrics('test').registry);
const store = new RedirectStore(mongo);
const resolver = new Resolver({ cache, redis, store, guard: createLoadGuard(log), metrics });
const visits: Visit[] = [];
const clicks = { take: (visit: Visit) => void visits.push(visit) };
let server: ListeningHttp;

beforeAll(async () => {
  const ids = { domainId: 'dom_1', tenantId: 'ten_1', rev: 1 };
  hosts.replace([
    { hostname: 's.example', groupId: 'grp_1', codeCase: 'SENSITIVE', ...ids },
    { hostname: 'folded.example', groupId: 'grp_2', codeCase: 'FOLDED', ...ids },
  ]);
  function keep(groupId: string, code: string, fields: Partial<LinkSnapshot> = {}): void {
    const base = { linkId: 'lnk_0000000000001', tenantId: 'ten_1', rev: 1, version: 3, targetUrl: TARGET } as const;
    const held = hold({ ...base, redirectType: 302, risk: 'ALLOW', disabled: false, ...fields });
    cache.put(snapshotKey(groupId, code), held, cache.moment());
  }
  keep('grp_1', 'Abc');
  keep('grp_1', 'permanent', { redirectType: 308 });
  keep('grp_1', 'blocked', { risk: 'BLOCK' });
  keep('grp_1', 'doubtful', { risk: 'WARN' });
  keep('grp_1', 'ended', { expiresAt: 1 });
  keep('grp_1', 'off', { disabled: true });
  keep('grp_2', 'abc', { targetUrl: 'https://folded.example.net/' });
  server = await startRedirectServer('127.0.0.1:0', { hosts, resolver, metrics, clicks, log });
});

afterAll(async () => {
  await server.stop();
});

/** Sends these bytes and nothing else; resolves with all bytes that come back until the server closes. */
function exchange(bytes: string, { address } = server): Promise<string> {
  return new Promise((resolve, reject) => {
    const port = Number(address.split(':')[1]);
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer to ${bytes}`)));
  });
}

function request(target: string, { method = 'GET', headers = 'Host: s.example\r\n' } = {}): Promise<string> {
  return exchange(`${method} ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
}

function statusOf(answer: string): number {
  return Number(answer.split(' ', 2)[1]);
}

function headerOf(answer: string, name: string): string[] {
  const [head = ''] = answer.split('\r\n\r\n', 1);
  const prefix = `${name.toLowerCase()}: `;
  const lines = head.split('\r\n').filter((line) => line.toLowerCase().startsWith(prefix));
  return lines.map((line) => line.slice(prefix.length));
}

test('a link redirects to its stored target, byte for byte, without a cookie or the name of the software', async () => {
  const answer = await request('/Abc?to=https://evil.example');
  expect(statusOf(answer)).toBe(302);
  expect(headerOf(answer, 'Location')).toEqual([TARGET]);
  expect(answer).not.toMatch(/set-cookie|x-powered-by|^server:/im);
});

test.each([
  ['/permanent', 308],
  ['/blocked', 403],
  ['/doubtful', 200],
  ['/ended', 410],
  ['/off', 404],
  ['/', 404],
  ['/favicon.ico', 404],
])('%s answers %i, and HEAD the same without a body, with one Content-Length', async (target, status) => {
  const [get, head] = await Promise.all([request(target), request(target, { method: 'HEAD' })]);
  for (const answer of [get, head]) {
    expect(statusOf(answer)).toBe(status);
    expect(headerOf(answer, 'Content-Length')).toHaveLength(1);
    expect(headerOf(answer, 'Transfer-Encoding')).toEqual([]);
  }
  const length = Number(headerOf(get, 'Content-Length')[0]);
  expect(Buffer.byteLength(get.slice(get.indexOf('\r\n\r\n') + 4))).toBe(length);
  expect(headerOf(head, 'Content-Length')).toEqual([String(length)]);
  expect(head.endsWith('\r\n\r\n')).toBe(true);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s is refused and told what is taken', async (m) => {
  const answer = await request('/Abc', { method: m });
  expect(statusOf(answer)).toBe(405);
  expect(headerOf(answer, 'Allow')).toEqual(['GET, HEAD']);
});

test.each([
  '//evil.example/x',
  '//evil.example/%2e%2e',
  '/\\evil.example/x',
  '/%2f%2fevil.example/',
  '/%5cevil.example',
  'http://evil.example/Abc',
  'http://s.example/Abc',
  '/https://evil.example/',
  '/Abc/more',
  '/%zz',
  '/%2561bc',
  `/${'a'.repeat(65)}`,
])('%s leads nowhere and is looked up nowhere', async (target) => {
  const answer = await request(target);
  expect(statusOf(answer)).toBe(404);
  expect(headerOf(answer, 'Location')).toEqual([]);
});

test.each(['/Abc/', '/%41bc', '/Abc?x=1', '/Abc/?'])('%s is the link', async (target) => {
  expect(headerOf(await request(target), 'Location')).toEqual([TARGET]);
});

test.each(['s.example', 'S.EXAMPLE', 's.example.', 's.example:8080', 'S.Example.:80'])(
  'Host %s is known',
  async (host) => {
    expect(statusOf(await request('/Abc', { headers: `Host: ${host}\r\n` }))).toBe(302);
  },
);

test.each([
  ['a@s.example', 400],
  ['s.example/x', 400],
  ['s.example, s.example', 400],
  ['s..example', 400],
  ['[::1]', 400],
  ['', 400],
  ['other.example', 421],
  ['s.example.other', 421],
  ['127.0.0.1', 421],
])('Host %j is answered with %i', async (host, status) => {
  const answer = await request('/Abc', { headers: `Host: ${host}\r\n` });
  expect(statusOf(answer)).toBe(status);
});

test.each([
  ['two Host headers', 'GET /Abc HTTP/1.1\r\nHost: s.example\r\nhost: s.example\r\nConnection: close\r\n\r\n'],
  ['no Host header', 'GET /Abc HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no Host header in HTTP/1.0', 'GET /Abc HTTP/1.0\r\n\r\n'],
  ['bytes that are no HTTP', 'hello\r\n\r\n'],
  ['two lengths', 'GET /Abc HTTP/1.1\r\nHost: s.example\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a raw NUL in the path', 'GET /A\0bc HTTP/1.1\r\nHost: s.example\r\n\r\n'],
])('%s is refused with 400 and the connection ends', async (_, bytes) => {
  expect(statusOf(await exchange(bytes))).toBe(400);
});

test('headers beyond 16 KB are refused', async () => {
  expect(statusOf(await request('/Abc', { headers: `Host: s.example\r\nX: ${'x'.repeat(17_000)}\r\n` }))).toBe(431);
});

test('forwarded headers name no host', async () => {
  const headers = 'Host: other.example\r\nX-Forwarded-Host: s.example\r\nForwarded: host=s.example\r\n';
  expect(statusOf(await request('/Abc', { headers }))).toBe(421);
});

test('codes are compared as their group says', async () => {
  expect(statusOf(await request('/aBC', { headers: 'Host: folded.example\r\n' }))).toBe(302);
  expect(statusOf(await request('/abc'))).toBe(503);
});

test('no page has anything of the request in it', async () => {
  const evil = '"><svg/onload=1>';
  const headers = `Host: other.example\r\nUser-Agent: ${evil}\r\nReferer: http://${evil}\r\nAccept-Language: ${evil}\r\n`;
  const answers = await Promise.all([
    request(`/x${encodeURIComponent(evil)}?${evil}`, { headers: headers.replace('other', 's') }),
    request('/unknownCode12', { headers: headers.replace('other.', 's.') }),
    request('/Abc', { headers }),
    request(`/Abc/${evil}`, { method: 'POST', headers }),
  ]);
  for (const answer of answers) expect(answer).not.toMatch(/svg|onload|unknownCode12|other\.example/i);
});

test('a code of which nothing is known, with every engine away, gets the fallback and when to come back', async () => {
  const answer = await request('/neverSeen');
  expect(statusOf(answer)).toBe(503);
  expect(headerOf(answer, 'Retry-After')).toEqual(['2']);
});

test('one connection serves several requests, pipelined ones in order', async () => {
  const one = 'GET /Abc HTTP/1.1\r\nHost: s.example\r\n\r\n';
  const last = 'GET /ended HTTP/1.1\r\nHost: s.example\r\nConnection: close\r\n\r\n';
  const answer = await exchange(one + one + last);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 302', 'HTTP/1.1 302', 'HTTP/1.1 410']);
});

test('a server that stops answers the request under way, says that it closes, and ends', async () => {
  const stopped = await startRedirectServer('127.0.0.1:0', { hosts, resolver, metrics, clicks, log });
  const find = hosts.find.bind(hosts);
  let ended: Promise<void> | undefined;
  vi.spyOn(hosts, 'find').mockImplementationOnce((header) => {
    ended = stopped.stop();
    return find(header);
  });
  const answer = await exchange('GET /Abc HTTP/1.1\r\nHost: s.example\r\n\r\n', stopped);
  await ended;
  expect(statusOf(answer)).toBe(302);
  expect(headerOf(answer, 'Connection')).toEqual(['close']);
});

test('only an answer that leads to a target makes a click, HEAD too, after it was written', async () => {
  visits.length = 0;
  for (const code of ['blocked', 'doubtful', 'ended', 'off', 'nobody', 'favicon.ico']) await request(`/${code}`);
  expect(visits).toEqual([]);
  await request('/Abc?qr=1');
  await request('/aBC', { method: 'HEAD', headers: 'Host: Folded.example\r\n' });
  const seen = visits.map(({ visited, head, status, url }) => [visited.host.hostname, visited.code, head, status, url]);
  expect(seen).toEqual([
    ['s.example', 'Abc', false, 302, '/Abc?qr=1'],
    ['folded.example', 'abc', true, 302, '/aBC'],
  ]);
  expect(visits[0]).toMatchObject({ peer: '127.0.0.1', visited: { link: { version: 3 } } });
});
