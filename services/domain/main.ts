import { runMain } from '../../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startDomain } from './service.js';

await runMain(() => startDomain(readConfig(process.env)));
