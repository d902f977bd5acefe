import { relative } from 'node:path';

export interface WelcomeFacts {
  gatewayUrl: string;
  redirectUrl: string;
  metrics: Record<string, string>;
  /** Undefined at a later start: only its hash is known. */
  key: string | undefined;
  dataDir: string;
}

/** What a person reads when everything has started: where it is, and a command that works when pasted. */
export function welcome({ gatewayUrl, redirectUrl, metrics, key, dataDir }: WelcomeFacts): string {
  const query =
    'mutation { createLink(input: { targetUrl: "https://example.com/" }) { link { shortUrl } problems { code message } } }';
  const held = key ?? '<the key that the first start printed>';
  const lines = [
    '',
    'Waypost is running. Ctrl-C stops it; the data stays.',
    '',
    `  GraphQL     ${gatewayUrl}   (GraphiQL in a browser: ${gatewayUrl.replace('/graphql', '/graphiql')})`,
    `  Short URLs  ${redirectUrl}/<code>`,
    `  Metrics     ${Object.values(metrics).join(' ')}`,
    `  Addresses   ${relative('.', dataDir) || '.'}/endpoints.json`,
    '',
    'A first link:',
    '',
    `  curl -s ${gatewayUrl} -H 'content-type: application/json' -H 'authorization: Bearer ${held}' \\`,
    `    -d '${JSON.stringify({ query })}'`,
    '',
  ];
  return lines.join('\n');
}
