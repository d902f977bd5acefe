/** `npm run bench`: starts what it measures, measures it in interleaved rounds, stops it, and says what it found. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle } from '../runtime/lifecycle.js';
import { createLog, failureText } from '../runtime/log.js';
import { type Options, readOptions, USAGE } from './options.js';
import { type Pinning, pinLoad } from './pinning.js';
import { resultsPage } from './results-page.js';
import { loadScenario, scenarioNames } from './scenario.js';
import { type Table, tableText } from './table.js';

/** Far longer than any run takes: one that hangs must end, too. */
const LONGEST_MS = 2 * 3_600_000;

const argv = process.argv.slice(2);
const log = createLog('bench', 'warn');
const parts = new Lifecycle(log);

process.once('SIGINT', () => void end(130));
process.once('SIGTERM', () => void end(143));
setTimeout(() => void end(1), LONGEST_MS).unref();

try {
  const options = readOptions(argv, await scenarioNames());
  await run(options, pinLoad());
  await end(0);
} catch (error) {
  console.error(failureText(error));
  console.error(USAGE);
  await end(1);
}

async function run(options: Options, pinning: Pinning): Promise<void> {
  const tables: Table[] = [];
  for (const name of options.only) {
    const found = await runScenario(name, options, pinning);
    for (const table of found) console.log(`\n${tableText(table)}\n`);
    tables.push(...found);
  }
  if (options.out) await writeFile(options.out, resultsPage(tables, pinning, argv));
}

async function runScenario(name: string, options: Options, pinning: Pinning): Promise<Table[]> {
  const scenario = await loadScenario(name);
  const dir = await mkdtemp(join(tmpdir(), `waypost-bench-${name}-`));
  const life = new Lifecycle(log);
  const whole = parts.add(name, {
    async stop() {
      await life.stop();
      await rm(dir, { recursive: true, force: true });
    },
  });
  try {
    return await scenario.run({ ...options, pinning, dir, life, say: (line) => console.error(`${name}: ${line}`) });
  } finally {
    await whole.stop();
  }
}

async function end(code: number): Promise<void> {
  await parts.stop();
  process.exit(code);
}
