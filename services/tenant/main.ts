import { runMain } from '../../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startTenant } from './service.js';

await runMain(() => startTenant(readConfig(process.env)));
