import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { comparedCode } from '../../model/code.js';
import type { HostEntry } from '../../model/host.js';
import { snapshotKey } from '../../model/snapshot.js';
import { type ListeningHttp, listenHttp } from '../../runtime/http-listen.js';
import type { Log } from '../../runtime/log.js';
import { type Answer, decisionAnswer, pageAnswer } from './answers.js';
import type { Clicks } from './clicks.js';
import { type Decision, decide, type Held } from './decision.js';
import type { HostRegistry } from './hosts.js';
import type { PageName } from './pages.js';
import type { RedirectMetrics } from './redirect-metrics.js';
import { codeOf, soleHost } from './request-target.js';
import type { Resolver } from './resolve.js';
import type { Visit, Visited } from './visit.js';

export interface RedirectServerOptions {
  hosts: HostRegistry;
  resolver: Resolver;
  metrics: RedirectMetrics;
  clicks: Pick<Clicks, 'take'>;
  log: Log;
}

/** A request is one packet or two: whoever needs longer for its head holds a socket for nothing. */
const HEAD_TIMEOUT_MS = 10_000;
/** Longer than load balancers keep an idle connection (60 s), so that they, not we, close it. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Socket, host and path in, bytes out. What to answer is decided elsewhere. */
export async function startRedirectServer(address: string, options: RedirectServerOptions): Promise<ListeningHttp> {
  const { metrics, clicks, log } = options;
  let stopping = false;
  const server = createServer({
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: HEAD_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  server.on('clientError', refuse);
  server.on('request', (request, response) => {
    const began = performance.now();
    try {
      const answer = answerTo(request, began, options);
      if (answer instanceof Promise) void sendLate(answer, request, response, began);
      else send(answer, request, response, began);
    } catch (error) {
      fail(error, request, response, began);
    }
  });

  function send(answer: Answer, request: IncomingMessage, response: ServerResponse, began: number): void {
    const { status, headers, body, visited } = answer;
    if (stopping) response.shouldKeepAlive = false;
    response.writeHead(status, headers as string[]);
    response.end(body);
    const ms = performance.now() - began;
    metrics.answered(status, ms);
    if (visited) clicks.take(visitOf(request, visited, status, ms));
  }

  async function sendLate(
    answer: Promise<Answer>,
    request: IncomingMessage,
    response: ServerResponse,
    began: number,
  ): Promise<void> {
    try {
      send(await answer, request, response, began);
    } catch (error) {
      fail(error, request, response, began);
    }
  }

  /** A fault of ours, not of a dependency: the log learns of it, the visitor gets the fallback. */
  function fail(error: unknown, request: IncomingMessage, response: ServerResponse, began: number): void {
    log.error({ err: error }, 'request failed');
    if (response.headersSent) response.destroy();
    else send(pageAnswer('unavailable', undefined), request, response, began);
  }

  const listening = await listenHttp(server, address);
  return {
    address: listening.address,
    stop(graceMs) {
      stopping = true;
      return listening.stop(graceMs);
    },
  };
}

/**
 * The hot path: synchronous when L1 knows the code, and without a function of its own for each request (tsx names every
 * inner function when it is made, which takes longer than the look-up). `now` is monotonic.
 */
function answerTo(request: IncomingMessage, now: number, options: RedirectServerOptions): Answer | Promise<Answer> {
  const { hosts, resolver, metrics } = options;
  if (request.method !== 'GET' && request.method !== 'HEAD') return pageFor('method-not-allowed', request);
  const header = soleHost(request.rawHeaders);
  const host = header === undefined ? 'malformed' : hosts.find(header);
  if (typeof host === 'string') {
    metrics.invalidHosts++;
    return pageFor(HOST_PAGE[host], request);
  }
  const shown = codeOf(request.url ?? '');
  if (shown === undefined) {
    metrics.invalidCodes++;
    return pageFor('not-found', request);
  }
  const code = comparedCode(shown, host.codeCase);
  const key = snapshotKey(host.groupId, code);
  const held = resolver.cached(key, now);
  if (held) return heldAnswer(held, host, code, request, metrics);
  return resolver
    .load({ tenantId: host.tenantId, groupId: host.groupId, code, key })
    .then((loaded) => heldAnswer(loaded, host, code, request, metrics));
}

function heldAnswer(
  held: Held | undefined,
  host: HostEntry,
  code: string,
  request: IncomingMessage,
  metrics: RedirectMetrics,
): Answer {
  const decision = held ? decide(held, Date.now()) : UNKNOWN;
  metrics.decided(decision.kind);
  if (decision.kind !== 'redirect') return decisionAnswer(decision, request.headers['accept-language']);
  const link = held?.snapshot;
  return link ? { status: decision.status, headers: decision.headers, visited: { link, host, code } } : decision;
}

/** Only references and numbers: what they say is read when nobody waits. */
function visitOf(request: IncomingMessage, visited: Visited, status: number, ms: number): Visit {
  return {
    timeMs: Date.now(),
    visited,
    head: request.method === 'HEAD',
    url: request.url ?? '',
    rawHeaders: request.rawHeaders,
    peer: request.socket.remoteAddress ?? '',
    status,
    costUs: Math.round(ms * 1_000),
  };
}

function pageFor(name: PageName, request: IncomingMessage): Answer {
  return pageAnswer(name, request.headers['accept-language']);
}

const HOST_PAGE = { malformed: 'bad-request', unknown: 'unknown-host', 'not-loaded': 'unavailable' } as const;
const UNKNOWN: Decision = Object.freeze({ kind: 'unavailable' });

/** What the parser refused. The connection ends: nobody knows where the next request would begin. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = PARSER_STATUS[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const PARSER_STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
