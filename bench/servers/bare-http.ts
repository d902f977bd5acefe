/** The least that node:http can do: a Map of so many codes, with the headers of our redirect. */
import { createServer } from 'node:http';
import { listenHttp } from '../../runtime/http-listen.js';
import { redirectHeaders } from '../../services/redirect/redirect-headers.js';
import { sayReady } from '../child.js';
import { codeAt, targetOf } from '../links.js';

const codes = Array.from({ length: Number(process.argv[2]) }, (_, i) => codeAt(i));
const answers = new Map(codes.map((code) => [`/${code}`, redirectHeaders(302, targetOf(code)) as string[]]));
const NOT_FOUND = ['Content-Length', '0'];

const server = createServer((request, response) => {
  const headers = answers.get(request.url ?? '');
  response.writeHead(headers ? 302 : 404, headers ?? NOT_FOUND).end();
});
const { address } = await listenHttp(server, '127.0.0.1:0');
sayReady({ address });
