/** `npm run generate`: everything in gen/, and the pages of docs/ that are made from code. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';

const STEPS = [
  ['buf', 'generate'],
  ['buf', 'build', '-o', 'gen/descriptor.binpb'],
  ['graphql-codegen', '--config', 'codegen.yml'],
  ['tsx', 'dev/write-docs.ts'],
];

ensureInstalled();
for (const [command, ...args] of STEPS) {
  // buf looks for the plugin of ts-proto on PATH.
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
