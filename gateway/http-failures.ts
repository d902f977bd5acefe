import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Failures, failureBody } from './failures.js';
import { BODY_BYTES } from './limits.js';

const LINGER_MS = 2_000;

/** Answers of the server around GraphQL, in the form of GraphQL errors; none repeats what was sent (V7). */
export function addFailureAnswers(app: FastifyInstance, graphqlPath: string, failures: Failures): void {
  app.setNotFoundHandler((request, reply) => {
    if (request.url.split('?', 1)[0] !== graphqlPath) {
      return reply.code(404).send(failureBody('NOT_FOUND', `Nothing is here. The API is at ${graphqlPath}.`));
    }
    const message = 'Use POST, or GET for queries.';
    return reply.code(405).header('allow', 'GET, POST').send(failureBody('BAD_REQUEST', message));
  });

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) return reply.code(500).send(failures.unforeseen(error, request.arrival.traceId));
    if (status === 413) {
      const message = `The body is larger than ${BODY_BYTES / 1024} KB.`;
      return reply.code(413).send(failureBody('PAYLOAD_TOO_LARGE', message));
    }
    return reply.code(status).send(failureBody('BAD_REQUEST', error.message));
  });
}

/** A path that can't be decoded reaches no hook and no other handler. */
export function answerBadPath(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply.code(400).send(failureBody('BAD_REQUEST', 'The path is not valid.'));
}

/** What Node's parser refuses never becomes a request: the answer is written by hand. */
export function answerSocket(error: Error & { code?: string }, socket: Socket): void {
  // More may come of a request that has been answered. It is read and dropped: a reset would take the answer with it.
  if (!socket.writable) return;
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = socketFailure(error.code);
  const body = JSON.stringify(failureBody('BAD_REQUEST', message));
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function socketFailure(code: string | undefined): [status: string, message: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'The request took too long to arrive.'];
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'The headers are larger than 16 KB.'];
    default:
      return ['400 Bad Request', 'The request is not valid HTTP.'];
  }
}
