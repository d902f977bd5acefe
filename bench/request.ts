const SYSTEMS = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'Linux; Android 10; K',
];
const CHROME_VERSIONS = Array.from({ length: 16 }, (_, i) => 111 + i);

/** Of people, as browsers send them. */
export const BROWSERS: readonly string[] = [
  ...SYSTEMS.flatMap((system) =>
    CHROME_VERSIONS.map(
      (version) =>
        `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
    ),
  ),
  ...[15, 16, 17].map(
    (version) =>
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${version}_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ` +
      `Version/${version}.5 Mobile/15E148 Safari/604.1`,
  ),
  ...[115, 120, 127].map(
    (version) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
  ),
];

/** With the two of the request itself 15, as a browser sends them when a link is followed. */
const HEADERS = [
  'Connection: keep-alive',
  'sec-ch-ua: "Chromium";v="126", "Not/A)Brand";v="8"',
  'sec-ch-ua-mobile: ?0',
  'sec-ch-ua-platform: "Linux"',
  'Upgrade-Insecure-Requests: 1',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Mode: navigate',
  'Sec-Fetch-User: ?1',
  'Sec-Fetch-Dest: document',
  'Referer: https://www.example.org/news/an-article?from=list',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: de-DE,de;q=0.9,en;q=0.8',
].join('\r\n');

let agent = 0;

/** A visit of a code, each by another browser than the one before. */
export function visitRequest(code: string): Buffer {
  agent = (agent + 1) % BROWSERS.length;
  return Buffer.from(
    `GET /${code} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${BROWSERS[agent]}\r\n${HEADERS}\r\n\r\n`,
    'latin1',
  );
}

/** Requests that are made once and sent in turn. */
export function inTurn(requests: readonly Buffer[]): () => Buffer {
  let n = 0;
  return () => requests[n++ % requests.length] as Buffer;
}

export function postRequest(path: string, headers: Record<string, string>, body: string): Buffer {
  const fields = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n${body}`);
}
