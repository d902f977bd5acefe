import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runMain } from '../runtime/lifecycle.js';
import { startSystem } from './system.js';
import { welcome } from './welcome.js';

/** `npm start`: everything in one process, with the data under ./.waypost/. */
await runMain(async (stop) => {
  // Ends with its parent, however that ends (scripts/start.mjs).
  process.once('disconnect', stop);
  const dataDir = resolve(process.env.WAYPOST_DATA_DIR || '.waypost');
  const key = process.env.WAYPOST_BOOTSTRAP_KEY || `wp_${randomBytes(32).toString('base64url')}`;
  const env = { WAYPOST_LOG_LEVEL: 'warn', ...process.env, WAYPOST_BOOTSTRAP_KEY: key };
  let known = process.env.WAYPOST_BOOTSTRAP_KEY;
  const system = await startSystem({
    dataDir,
    env,
    onFirstTenant: () => {
      known = key;
      console.log(`API key of the first tenant (shown once, stored hashed): ${key}`);
    },
    engines: {
      log: (line) => console.log(line),
      onExit: (name, how) => {
        console.error(`${name} ended unasked (${how}); stopping`);
        stop();
      },
    },
  });
  const { gatewayUrl: gateway, redirectUrl: redirect, metrics } = system;
  await writeFile(join(dataDir, 'endpoints.json'), `${JSON.stringify({ gateway, redirect, metrics }, null, 2)}\n`);
  console.log(welcome({ ...system, key: known, dataDir }));
  return system;
});
