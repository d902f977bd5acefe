import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './rig.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 30_000;

interface Endpoints {
  gateway: string;
  redirect: string;
  metrics: Record<string, string>;
}

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-start-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** `npm start` with its own data folder, until it says that it is running. */
async function start(): Promise<{ child: ChildProcess; output: () => string; endpoints: Endpoints }> {
  const { WAYPOST_BOOTSTRAP_KEY, ...env } = process.env;
  const child = spawn('npm', ['start'], { cwd: ROOT, env: { ...env, WAYPOST_DATA_DIR: dataDir }, detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  await eventually(READY_MS, () => {
    if (child.exitCode !== null) throw new Error(text);
    return text.includes('A first link');
  });
  // The last lines may still be on their way.
  await eventually(1_000, () => text.trimEnd().endsWith("'"));
  const endpoints = JSON.parse(await readFile(join(dataDir, 'endpoints.json'), 'utf8')) as Endpoints;
  return { child, output: () => text, endpoints };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit');
  // To the whole group, as a terminal does.
  process.kill(-child.pid!, signal);
  await ended;
  return child.exitCode;
}

describe('npm start', () => {
  it('prints a command that makes a link when pasted, keeps the data, and survives being killed', async () => {
    const first = await start();
    expect(Object.keys(first.endpoints)).toEqual(['gateway', 'redirect', 'metrics']);
    const command = first.output().slice(first.output().indexOf('curl -s'));
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const shortUrl = (JSON.parse(stdout) as { data: { createLink: { link: { shortUrl: string } } } }).data.createLink
      .link.shortUrl;
    expect((await fetch(shortUrl, { redirect: 'manual' })).headers.get('location')).toBe('https://example.com/');
    for (const url of Object.values(first.endpoints.metrics)) {
      expect(await (await fetch(url)).text()).toContain('process_cpu_user_seconds_total');
    }
    expect(await stop(first.child, 'SIGINT')).toBe(0);

    const second = await start();
    expect(second.output()).not.toContain('API key of the first tenant');
    const path = new URL(shortUrl).pathname;
    const visit = () => fetch(`${second.endpoints.redirect}${path}`, { redirect: 'manual' });
    expect((await visit()).headers.get('location')).toBe('https://example.com/');
    await stop(second.child, 'SIGKILL');

    const third = await start();
    expect((await fetch(`${third.endpoints.redirect}${path}`, { redirect: 'manual' })).status).toBe(302);
    expect(await stop(third.child, 'SIGTERM')).toBe(0);
  }, 120_000);

  it('refuses to start on bad settings, and names each', async () => {
    const env = {
      ...process.env,
      WAYPOST_DATA_DIR: dataDir,
      WAYPOST_BOOTSTRAP_KEY: 'short',
      WAYPOST_MONGODB_TIMEOUT_MS: 'soon',
    };
    const child = spawn('npm', ['start'], { cwd: ROOT, env });
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(text).toContain('WAYPOST_BOOTSTRAP_KEY: is shorter than 32 characters');
    expect(text).toContain('WAYPOST_MONGODB_TIMEOUT_MS');
    expect(text).not.toContain('at ');
  }, 60_000);
});
