import type { AddressInfo } from 'node:net';
import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { type FastifyInstance, fastify } from 'fastify';
import type { ClientAddress } from '../runtime/client-address.js';
import { splitAddress } from '../runtime/http-listen.js';
import { type Arrival, arrivalOf } from './arrival.js';
import { type ContextParts, contextOf, type GatewayContext } from './context.js';
import { type Failures, failureBody } from './failures.js';
import { type GraphiqlFile, serveGraphiql } from './graphiql.js';
import { addFailureAnswers, answerBadPath, answerSocket } from './http-failures.js';
import { BODY_BYTES, REQUEST_MS } from './limits.js';
import { readJson, refusalOfHeaders } from './media.js';
import type { Observation } from './observation.js';

declare module 'fastify' {
  interface FastifyRequest {
    arrival: Arrival;
  }
}

export interface ServerParts extends ContextParts {
  /** host:port; port 0 takes a free one. */
  address: string;
  apollo: ApolloServer<GatewayContext>;
  clients: ClientAddress;
  failures: Failures;
  observation: Observation;
  /** Undefined: there is no such page. */
  graphiql: GraphiqlFile[] | undefined;
  /** Longest that a client may take to send its request. */
  receiveMs?: number;
}

export interface GraphqlServer {
  /** host:port as bound */
  address: string;
  /** Takes no new requests, lets those under way end, cuts what is left after 5 s. */
  stop(): Promise<void>;
}

export const GRAPHQL_PATH = '/graphql';
const RETRY_AFTER_SECONDS = 2;
/** Failures that end by themselves (F-2). */
const RETRY_CODES = ['UNAVAILABLE', 'DEADLINE_EXCEEDED'];
const GRACE_MS = 5_000;
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** HTTP around GraphQL: what a request must be to reach Apollo, and the form of all other answers. */
export async function startServer(parts: ServerParts): Promise<GraphqlServer> {
  const app = createApp(parts);
  const { host, port } = splitAddress(parts.address);
  await app.listen({ host, port });
  const bound = app.server.address() as AddressInfo;
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    async stop() {
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      await app.close();
      clearTimeout(cut);
      await parts.apollo.stop();
    },
  };
}

function createApp(parts: ServerParts): FastifyInstance {
  const { apollo, clients, failures, observation } = parts;
  const receiveMs = parts.receiveMs ?? REQUEST_MS;
  const app = fastify({
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    // What still comes on an open connection is answered; `connection: close` ends it then.
    return503OnClosing: false,
    requestTimeout: receiveMs,
    // Node looks for late requests only every 30 s by default.
    http: { headersTimeout: receiveMs, connectionsCheckingInterval: Math.ceil(receiveMs / 10) },
    clientErrorHandler: answerSocket,
    frameworkErrors: answerBadPath,
  });
  app.decorateRequest('arrival');
  readJson(app);

  app.addHook('onRequest', async (request, reply) => {
    request.arrival = arrivalOf(request.raw, clients);
    reply.headers(HEADERS);
    const refusal = refusalOfHeaders(request.raw);
    if (refusal) return reply.code(refusal.status).send(failureBody('BAD_REQUEST', refusal.message));
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    const { codes } = request.arrival ?? { codes: [] };
    if (reply.statusCode >= 503 || RETRY_CODES.some((code) => codes.includes(code))) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
    }
    // Else the connection of the last answer would be kept open, and the stop would wait for its cut.
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.url === GRAPHQL_PATH) {
      observation.answered(request.arrival, reply.statusCode, reply.elapsedTime / 1000);
    }
  });

  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    handler: fastifyApolloHandler(apollo, { context: (request) => contextOf(request, parts) }),
  });
  if (parts.graphiql) serveGraphiql(app, GRAPHQL_PATH, parts.graphiql);

  addFailureAnswers(app, GRAPHQL_PATH, failures);
  return app;
}
