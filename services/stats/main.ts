import { runMain } from '../../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startStats } from './service.js';

await runMain(() => startStats(readConfig(process.env)));
