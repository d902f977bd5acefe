import { readFileSync } from 'node:fs';

/** USER_HZ, which Linux fixes for what it shows to processes, whatever the kernel counts in. */
const TICK_MS = 10;

/** Milliseconds of CPU that a process has used, in user and kernel mode. */
export function cpuMs(pid: number): number {
  return cpuMsOf(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

/** @param stat a line of /proc/[pid]/stat (proc(5)); the name in it, in parentheses, may hold anything */
export function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  if (!Number.isFinite(user + system)) throw new Error('not a line of /proc/[pid]/stat');
  return (user + system) * TICK_MS;
}

/** MiB of memory that a process holds at this moment. */
export function rssMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kib) / 1_024;
}

/** The CPUs that this process may use. */
export function allowedCpus(): number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
  return cpusOf(list ?? '0');
}

/** @param list as the kernel writes it, such as `0-3,8` */
export function cpusOf(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
