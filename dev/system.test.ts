import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from './engine-port.js';
import { startSystem } from './system.js';

const TIMEOUT_MS = 60_000;
const addresses = vi.hoisted(() => ({ taken: undefined as number | undefined, choices: 0 }));

vi.mock('./addresses.js', async (original) => {
  const { chooseAddresses } = await original<typeof import('./addresses.js')>();
  return {
    chooseAddresses: async (...args: Parameters<typeof chooseAddresses>) => {
      const chosen = await chooseAddresses(...args);
      addresses.choices += 1;
      return addresses.choices === 1 ? { ...chosen, WAYPOST_LINK_ADDRESS: `127.0.0.1:${addresses.taken}` } : chosen;
    },
  };
});

test('a free port that another process takes meanwhile costs a second choice, not the start', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-system-'));
  addresses.taken = await freePort();
  const other = createServer().listen(addresses.taken, '127.0.0.1');
  await once(other, 'listening');
  const system = await startSystem({
    dataDir,
    anyPort: true,
    env: { WAYPOST_LOG_LEVEL: 'silent' },
    engines: { log: () => undefined },
  });
  expect(addresses.choices).toBe(2);
  await system.stop();
  other.close();
  await rm(dataDir, { recursive: true });
});
