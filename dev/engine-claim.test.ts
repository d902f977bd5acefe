import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimDataDir } from './engine-claim.js';

test('a directory is waited for while its owner still stops, and is taken over from one that was killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-claim-'));
  const script = `
    const { claimDataDir } = await import(${JSON.stringify(new URL('engine-claim.ts', import.meta.url).href)});
    await claimDataDir(${JSON.stringify(dataDir)}, console.log);
    console.log('claimed');
    setInterval(() => {}, 60_000);`;
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');

  const lines: string[] = [];
  const release = await claimDataDir(dataDir, (line) => {
    lines.push(line);
    owner.kill('SIGKILL');
  });
  expect(lines).toEqual([`Waiting for process ${owner.pid} to give back ${dataDir}`]);
  await expect(claimDataDir(dataDir, () => {})).rejects.toThrow(`in use by process ${process.pid}`);
  await release();
  await (await claimDataDir(dataDir, () => {}))();
  await rm(dataDir, { recursive: true });
});
