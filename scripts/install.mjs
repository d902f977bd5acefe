/**
 * What every command needs first: a Node that is new enough, and the packages of package-lock.json. Plain Node without a package,
 * because it runs before there is one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the process with a message when Node is too old, or when the packages cannot be installed. */
export function ensureInstalled() {
  const range = readJson('package.json').engines.node;
  if (!isNewEnough(process.versions.node, range))
    fail(`Waypost needs Node ${range}; this is ${process.versions.node}.`);
  if (isInstalled()) return;
  console.log('Installing packages (npm ci)');
  // npm tells its scripts where it is; another package manager says the same of itself, and cannot do this.
  const npm = process.env.npm_execpath ?? '';
  const command = basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm'];
  // With the development packages even under NODE_ENV=production: `npm test` needs them.
  const [program, ...args] = [...command, 'ci', '--include=dev', '--loglevel=error'];
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail(error ? `npm cannot be run: ${error.message}` : 'npm ci failed: its messages are above.');
}

/**
 * npm writes node_modules/.package-lock.json last: the packages are there when it has each version and hash of package-lock.json,
 * but for optional packages, of which some are for other systems.
 */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const installed = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    const found = installed[path];
    if (!found) return path === '' || wanted.optional;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** @param {string} range as in package.json: `>=20.19` */
function isNewEnough(version, range) {
  const [major, minor] = range.replace('>=', '').split('.').map(Number);
  const [hasMajor, hasMinor] = version.split('.').map(Number);
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
