/**
 * `npm start`: installs what is missing, then runs dev/main.ts and ends with its exit code.
 *
 * A Ctrl-C reaches each process of the terminal's group, and npm passes it on once more. So main has a group of its own and gets one
 * signal, from here. It also has an IPC channel to here: when this process is killed the channel closes, and main stops in order.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { ensureInstalled, root } from './install.mjs';

/** From then on another signal does not belong to the first: somebody has lost patience. */
const PATIENCE_MS = 5_000;
const PARENT_POLL_MS = 250;

ensureInstalled();
const main = spawn(process.execPath, ['--import', 'tsx', 'dev/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
main.on('error', (error) => {
  console.error(`Node cannot be run: ${error.message}`);
  process.exit(1);
});
main.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

let askedAt = 0;
function stop(signal) {
  if (!askedAt) {
    askedAt = Date.now();
    main.kill(signal);
  } else if (Date.now() - askedAt > PATIENCE_MS) {
    main.kill('SIGKILL');
  }
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
process.on('SIGHUP', () => stop('SIGTERM'));

const link = linkToNpm();
if (link) {
  setInterval(() => {
    if (parentOf(link.child) !== link.npm && !askedAt) stop('SIGTERM');
  }, PARENT_POLL_MS).unref();
}

/** npm, when it ran this, and the process between or this one. When npm is killed it tells nobody, but its child gets another parent. */
function linkToNpm() {
  let child = process.pid;
  for (let generation = 0; generation < 2; generation += 1) {
    const npm = parentOf(child);
    if (npm && read(npm, 'cmdline').startsWith('npm ')) return { child, npm };
    child = npm;
  }
  return undefined;
}

/** Without /proc there is none. */
function parentOf(pid) {
  const parent = /\nPPid:\s+(\d+)/.exec(read(pid, 'status'))?.[1];
  return parent && Number(parent);
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
