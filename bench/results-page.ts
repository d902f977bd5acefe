import { cpus, loadavg, totalmem } from 'node:os';
import type { Pinning } from './pinning.js';
import { type Table, tableText } from './table.js';

/** RESULTS.md: what was found, and on what. */
export function resultsPage(tables: readonly Table[], { description }: Pinning, argv: readonly string[]): string {
  const [cpu] = cpus();
  const load = loadavg().map((value) => value.toFixed(2));
  const command = ['npm run bench', ...(argv.length > 0 ? ['--', ...argv] : [])].join(' ');
  const head = [
    '# Results',
    '',
    'Written by the benchmark itself. Everything on one machine over loopback: read the ratios and the CPU time of a request;',
    'absolute rates are this machine’s. Each figure is the median of the rounds, each ratio that of two rows in the same round.',
    '',
    `- \`${command}\`, ended ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `- ${cpu?.model.trim() || 'unknown CPU'}, ${cpus().length} CPUs, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}`,
    `- ${description}`,
    `- load average at the end: ${load.join(', ')}`,
  ];
  return `${[head.join('\n'), ...tables.map(tableText)].join('\n\n')}\n`;
}
