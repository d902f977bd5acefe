import { runMain } from '../../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startRisk } from './service.js';

await runMain(() => startRisk(readConfig(process.env)));
