import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Types that a form of another site can send without being asked; Apollo refuses them as forgeries (G10). */
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** Lets bodies in as JSON in UTF-8 only. */
export function readJson(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(utf8.decode(body as Buffer)));
    } catch {
      done(Object.assign(new Error('The body is not JSON in UTF-8.'), { statusCode: 400 }));
    }
  });
  // Read, so that the limit of bodies holds, and dropped.
  app.addContentTypeParser(SIMPLE_TYPES, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
}

/** What is wrong with the headers of a request; undefined for nothing. */
export function refusalOfHeaders(request: IncomingMessage): { status: number; message: string } | undefined {
  const hosts = request.headersDistinct.host ?? [];
  // @as-integrations/fastify builds a URL from it.
  if (hosts.length !== 1 || !URL.canParse(`http://${hosts[0]}/`)) {
    return { status: 400, message: 'The request needs one valid Host header.' };
  }
  const type = request.headers['content-type'];
  if (type === undefined) return undefined;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return { status: 415, message: 'Send JSON in UTF-8.' };
  }
  if (request.method === 'GET' && !/^application\/json\s*(;|$)/i.test(type)) {
    return { status: 415, message: 'A GET request has no body: leave its Content-Type out.' };
  }
  return undefined;
}
