import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lifecycle, startParts } from './lifecycle.js';
import { createLog } from './log.js';

const silent = createLog('test', 'silent');

function part(name: string, stopped: string[], failure?: Error) {
  return {
    async stop() {
      stopped.push(name);
      if (failure) throw failure;
    },
  };
}

test('parts stop in the reverse order of their start, each once, although one of them fails', async () => {
  const lines = new PassThrough();
  const life = new Lifecycle(createLog('test', 'error', lines));
  const stopped: string[] = [];
  life.add('mongodb', part('mongodb', stopped));
  life.add('nats', part('nats', stopped, new Error('will not')));
  life.add('rpc', part('rpc', stopped));
  await Promise.all([life.stop(), life.stop()]);
  expect(stopped).toEqual(['rpc', 'nats', 'mongodb']);
  expect(String(lines.read())).toContain('"part":"nats"');
});

test('a start that fails half-way stops what it had begun, and fails as it did', async () => {
  const stopped: string[] = [];
  const failure = new Error('port taken');
  const started = startParts(silent, async (life) => {
    life.add('mongodb', part('mongodb', stopped));
    life.add('nats', part('nats', stopped));
    throw failure;
  });
  await expect(started).rejects.toBe(failure);
  expect(stopped).toEqual(['nats', 'mongodb']);
});

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-lifecycle-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

interface Run {
  child: ChildProcess;
  out: () => string;
  /** Its exit code or signal. */
  exit: Promise<unknown>;
}

/** A process whose main is this. */
async function run(main: string): Promise<Run> {
  const file = join(directory, `${Math.random()}.mts`);
  const lifecycle = JSON.stringify(new URL('./lifecycle.ts', import.meta.url).pathname);
  await writeFile(file, `import { runMain } from ${lifecycle};\nconst log = console.log;\n${main}`);
  const root = new URL('..', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', file], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (out += text));
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, out: () => out, exit };
}

async function runUntil(main: string, line: string): Promise<Run> {
  const running = await run(main);
  await expect.poll(running.out, { timeout: 10_000, interval: 10 }).toContain(line);
  return running;
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a process that is told to end (%s) stops in order and exits 0',
  async (signal) => {
    const { child, out, exit } = await runUntil(
      `await runMain(async () => { setInterval(() => {}, 1000); setTimeout(() => log('ready'));
       return { async stop() { log('stopped'); } }; });`,
      'ready',
    );
    child.kill(signal);
    expect(await exit).toBe(0);
    expect(out()).toContain('stopped');
  },
);

test('a process that is told to end while it starts finishes the start and stops in order', async () => {
  const { child, out, exit } = await runUntil(
    `await runMain(async () => { log('starting'); setInterval(() => {}, 1000);
       await new Promise((go) => process.once('SIGTERM', () => setTimeout(go, 50)));
       return { async stop() { log('stopped'); } }; });`,
    'starting',
  );
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(out()).toContain('stopped');
});

test('a process whose start never ends can be told to end', async () => {
  const { child, exit } = await runUntil(
    `await runMain(() => { log('starting'); setInterval(() => {}, 1000); return new Promise(() => {}); }, 100);`,
    'starting',
  );
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});

test('a start that fails exits 1 and says why; bad settings are named without a stack', async () => {
  const failed = await run(
    `await runMain(async () => { throw new Error('port taken', { cause: new Error('EADDRINUSE') }); });`,
  );
  expect(await failed.exit).toBe(1);
  expect(failed.out()).toMatch(/Error: port taken\n\s+at [\s\S]*EADDRINUSE/);
  const env = JSON.stringify(new URL('./env.ts', import.meta.url).pathname);
  const misconfigured = await run(
    `const { ConfigError } = await import(${env}); await runMain(async () => { throw new ConfigError('x', ['A: is bad']); });`,
  );
  expect(await misconfigured.exit).toBe(1);
  expect(misconfigured.out().trim()).toBe("x can't start: 1 bad setting(s)\n  A: is bad");
});

test.each([
  ['a rejection', 'setTimeout(() => void Promise.reject(failure));'],
  ['an exception', 'setTimeout(() => { throw failure; });'],
])('%s that nobody handles ends the process with 1, and shows no secret (T-10)', async (_what, happen) => {
  const { out, exit } = await run(
    `await runMain(async () => { setInterval(() => {}, 1000);
       const failure = Object.assign(new Error('mongodb://user:hunter2@one.example failed'), { args: ['hunter2'] });
       ${happen} return { async stop() {} }; });`,
  );
  expect(await exit).toBe(1);
  expect(out()).toContain('mongodb://one.example failed');
  expect(out()).not.toContain('hunter2@');
  expect(out()).not.toContain("args: [ 'hunter2' ]");
});
