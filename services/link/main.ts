import { runMain } from '../../runtime/lifecycle.js';
import { readConfig } from './config.js';
import { startLink } from './service.js';

await runMain(() => startLink(readConfig(process.env)));
