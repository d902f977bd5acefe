import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** A page to try the API by hand, for development: its packages are no dependencies of production. */
export function addGraphiql(app: FastifyInstance, endpoint: string): void {
  const files: [name: string, type: string, content: string | Buffer][] = [
    ['', 'text/html', PAGE],
    ['/start.js', 'text/javascript', startScript(endpoint)],
    ['/react.js', 'text/javascript', readFileSync(resolve('react/umd/react.production.min.js'))],
    ['/react-dom.js', 'text/javascript', readFileSync(resolve('react-dom/umd/react-dom.production.min.js'))],
    ['/graphiql.js', 'text/javascript', readFileSync(resolve('graphiql/graphiql.min.js'))],
    ['/graphiql.css', 'text/css', readFileSync(resolve('graphiql/graphiql.min.css'))],
  ];
  for (const [name, type, content] of files) {
    app.get(PAGE_PATH + name, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('content-security-policy', CSP).send(content),
    );
  }
}
