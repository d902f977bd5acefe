/**
 * Who uses a data directory. One start at a time claims it (`run/owner`), and what a killed start left is seen to its end, so that
 * it does not block the next. A process is touched only if its command line names our data directory.
 */
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const POLL_MS = 50;

/**
 * Claims the directory for this process. A start that was killed may still be stopping, so a living owner is waited for.
 * @returns a function that gives it back. @throws when another process keeps it.
 */
export async function claimDataDir(dataDir: string, log: (line: string) => void): Promise<() => Promise<void>> {
  const file = join(dataDir, 'run', 'owner');
  await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
  const mine = `${process.pid} ${await startOf(process.pid)}`;
  let waited = 0;
  while (!(await createWhole(file, mine))) {
    const owner = await readFile(file, 'utf8').catch(() => '');
    const [pid, start] = owner.split(' ');
    if ((await startOf(Number(pid))) !== start) {
      // Another start may have claimed it since: only the dead owner's file is removed.
      if (owner === (await readFile(file, 'utf8').catch(() => undefined))) await rm(file, { force: true });
      continue;
    }
    if (waited >= PATIENCE_MS || owner === mine) {
      throw new Error(`${dataDir} is in use by process ${pid}: stop that one, or choose another data directory`);
    }
    if (waited === 0) log(`Waiting for process ${pid} to give back ${dataDir}`);
    waited += POLL_MS;
    await delay(POLL_MS);
  }
  return () => rm(file, { force: true });
}

/** Creates a file that is never seen without its text. @returns false when there is one already. */
async function createWhole(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/** Waits for an engine that a killed start left behind, whose guard is ending it; kills it when it does not end. */
export async function endOrphan(pidFile: string, engineDir: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (!pid || !(await namesDirectory(pid, engineDir))) return;
  if (await ended(pid, PATIENCE_MS)) return;
  if (await namesDirectory(pid, engineDir)) process.kill(pid, 'SIGKILL');
  if (!(await ended(pid, PATIENCE_MS))) throw new Error(`process ${pid} uses ${engineDir} and cannot be ended`);
}

/** Waits until a process is gone. @returns whether it went in time. */
export async function ended(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; (await startOf(pid)) !== undefined; waited += POLL_MS) {
    if (waited >= withinMs) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** When a process started, which tells it from a later one with its number; undefined when there is none, or a dead one not yet reaped. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // proc(5): the name, in parentheses, may hold anything; after it the state, and the start as the 20th from there.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return fields[19] ?? 'unknown';
}

async function namesDirectory(pid: number, dir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0').some((argument) => argument === dir || argument.startsWith(`${dir}/`));
}
