/**
 * `npm test`: every check, the fast ones first, on real servers that the tests start themselves. Prints a line for each
 * stage, the whole output only of what failed, and last `N passed, N failed` (`, N skipped`).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';

const total = { passed: 0, failed: 0, skipped: 0 };

ensureInstalled();
process.env.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
check('format and lint', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']);
check('protos: lint', 'buf', ['lint']);
breaking();
generated();
check('types', 'tsc', ['-p', '.']);
tests('unit', ['model', 'gateway', 'bench', 'test/law']);
tests('servers', ['runtime', 'services', 'dev']);
tests('journeys', ['test/journeys']);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 ? 1 : 0);

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { ok: status === 0, output: error ? error.message : `${stdout}${stderr}`.trim() };
}

function check(name, command, args) {
  const { ok, output } = run(command, args);
  report(name, ok, output);
}

function report(name, ok, output) {
  if (ok) total.passed++;
  else total.failed++;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}`);
  if (!ok) console.log(output);
}

function skip(name, why) {
  total.skipped++;
  console.log(`skip ${name}: ${why}`);
}

/** Against main as it was last committed: a change of a message that would break a running peer. */
function breaking() {
  const name = 'protos: nothing breaks against main';
  const main = ['main', 'origin/main'].find(
    (ref) => run('git', ['rev-parse', '--verify', '--quiet', `${ref}:proto`]).ok,
  );
  if (!main) return skip(name, 'git has no main with protos');
  const commit = run('git', ['rev-parse', main]).output;
  check(name, 'buf', ['breaking', '--against', `.git#ref=${commit}`]);
}

/** What is generated is what the sources say now. */
function generated() {
  const before = fingerprint();
  const { ok, output } = run(process.execPath, ['scripts/generate.mjs']);
  report(
    'generated files are current',
    ok && fingerprint() === before,
    output || 'they changed: commit what `npm run generate` wrote',
  );
}

function fingerprint() {
  const hash = createHash('sha256');
  const files = ['gen', 'docs'].flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function tests(name, paths) {
  const dir = mkdtempSync(join(tmpdir(), 'waypost-test-'));
  const file = join(dir, 'report.json');
  const { output } = run('vitest', ['run', '--reporter=json', `--outputFile=${file}`, ...paths]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults, success } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    total.passed += numPassedTests;
    total.failed += numFailedTests;
    total.skipped += numPendingTests;
    const files = testResults.filter(
      (result) => result.status === 'failed' && result.assertionResults.every((t) => t.status !== 'failed'),
    );
    total.failed += files.length;
    console.log(`${success ? 'ok  ' : 'FAIL'} ${name}: ${numPassedTests} tests`);
    for (const result of files) console.log(`  ${result.name}\n${result.message}`);
    for (const test of testResults.flatMap((result) => result.assertionResults)) {
      if (test.status === 'failed') console.log(`  ${test.fullName}\n${test.failureMessages.join('\n')}`);
      if (test.status === 'pending' || test.status === 'skipped') console.log(`  skipped: ${test.fullName}`);
    }
    if (!success && numFailedTests + files.length === 0) {
      total.failed++;
      console.log(output);
    }
  } catch (error) {
    report(name, false, `${output}\n${error}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
