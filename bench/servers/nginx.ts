import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accepts, freePort, until } from '../../dev/engine-port.js';
import { redirectHeaders } from '../../services/redirect/redirect-headers.js';
import { startChild } from '../child.js';
import { codeAt, targetOf } from '../links.js';
import type { Bench } from '../scenario.js';
import type { Server } from '../system.js';

const READY_MS = 5_000;
const TEMP_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
/** nginx writes them itself. */
const ITS_OWN = ['Location', 'Content-Length'];

/** One nginx worker that answers everything with `return 302` and the headers of our redirect; undefined without nginx. */
export async function startNginx(bench: Bench): Promise<Server | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined;
  const dir = join(bench.dir, 'nginx');
  await mkdir(dir, { recursive: true });
  const port = await freePort();
  await writeFile(join(dir, 'nginx.conf'), configuration(dir, port));
  const child = await startChild(bench.pinning, ['nginx', '-p', dir, '-e', 'error.log', '-c', join(dir, 'nginx.conf')]);
  bench.life.add('nginx', child);
  await until(() => accepts(port), AbortSignal.timeout(READY_MS));
  return { ...child, port };
}

/** `master_process off`: the process that is started is the worker. */
function configuration(dir: string, port: number): string {
  const url = targetOf(codeAt(0));
  const headers = redirectHeaders(302, url);
  const added = headers.flatMap((name, i) =>
    i % 2 === 1 || ITS_OWN.includes(name) ? [] : [`add_header ${name} "${headers[i + 1]}";`],
  );
  return `daemon off; master_process off; pid ${dir}/pid;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000;
  ${TEMP_PATHS.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; location / { ${added.join(' ')} return 302 "${url}"; } }
}
`;
}
