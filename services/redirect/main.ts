import { runMain } from '../../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startRedirect } from './service.js';

await runMain(() => startRedirect(readConfig(process.env)));
