import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const PAGE_PATH = '/graphiql';
const { resolve } = createRequire(import.meta.url);

/** Everything comes from this server; React and CodeMirror set styles on elements. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Waypost GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PAGE_PATH}/graphiql.css">
<style>body { margin: 0 } #graphiql { height: 100vh }</style>
<div id="graphiql">Loading…</div>
<script src="${PAGE_PATH}/react.js"></script>
<script src="${PAGE_PATH}/react-dom.js"></script>
<script src="${PAGE_PATH}/graphiql.js"></script>
<script src="${PAGE_PATH}/start.js"></script>
</html>
`;

/** The tab of headers is open, for the API key; it is not kept in the browser. */
function startScript(endpoint: string): string {
  return `const fetcher = GraphiQL.createFetcher({ url: '${endpoint}' });
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultEditorToolsVisibility: 'headers',
    defaultHeaders: JSON.stringify({ Authorization: 'Bearer <API key>' }, null, 2),
    defaultQuery: 'query Viewer {\\n  viewer {\\n    actor { id kind name }\\n    tenant { id name }\\n    scopes\\n  }\\n}\\n',
    shouldPersistHeaders: false,
  }),
);
`;
}

export interface GraphiqlFile {
  path: string;
  type: string;
  content: string | Buffer;
}

/**
 * A page to try the API by hand.
 * @throws Error where its packages are not installed: they are no dependencies of production
 */
export function readGraphiql(endpoint: string): GraphiqlFile[] {
  const script = (name: string, content: string | Buffer) => ({
    path: `${PAGE_PATH}/${name}`,
    type: 'text/javascript',
    content,
  });
  return [
    { path: PAGE_PATH, type: 'text/html', content: PAGE },
    { path: `${PAGE_PATH}/graphiql.css`, type: 'text/css', content: packaged('graphiql', 'graphiql.min.css') },
    script('start.js', startScript(endpoint)),
    script('react.js', packaged('react', 'umd/react.production.min.js')),
    script('react-dom.js', packaged('react-dom', 'umd/react-dom.production.min.js')),
    script('graphiql.js', packaged('graphiql', 'graphiql.min.js')),
  ];
}

/** Some of these files are not in the `exports` of their package. */
function packaged(name: string, file: string): Buffer {
  return readFileSync(join(dirname(resolve(`${name}/package.json`)), file));
}

export function serveGraphiql(app: FastifyInstance, endpoint: string, files: readonly GraphiqlFile[]): void {
  // Who opens the address of the API in a browser wants this page.
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === endpoint && request.method === 'GET' && request.headers.accept?.startsWith('text/html')) {
      return reply.redirect(PAGE_PATH);
    }
  });
  for (const { path, type, content } of files) {
    app.get(path, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('content-security-policy', CSP).send(content),
    );
  }
}
