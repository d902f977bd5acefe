import { runMain } from '../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startGateway } from './service.js';

await runMain(() => startGateway(readConfig(process.env)));
