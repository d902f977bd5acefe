import { setTimeout as delay } from 'node:timers/promises';
import { Load, type LoadOptions } from './load.js';
import { cpuMs, rssMiB } from './proc.js';
import type { Bench } from './scenario.js';

export interface Target extends LoadOptions {
  /** The process that answers. */
  pid: number;
  /** Those that it asks: MongoDB, Redis, NATS. */
  behind: readonly number[];
  /** The warm-up goes on until so many expected answers have come, so that a cache holds what it can. */
  warmAnswers?: number;
}

export interface Measurement {
  /** Answers a second. */
  rate: number;
  /** Microseconds. */
  p50Us: number;
  p99Us: number;
  /** CPU of the process that answers, for each answer, in microseconds. */
  cpuUs: number;
  /** The same with the processes behind it. */
  allCpuUs: number;
  /** Share of one CPU that they used together: well below 1, something else was the limit. */
  busy: number;
  rssMiB: number;
  /** Answers with an unexpected status. */
  unexpected: number;
}

const WARM_MS = 1_000;
const LONGEST_WARM_MS = 120_000;
const FEW = 8;

/** One row in one round. `around` is called at both ends of what is measured. */
export async function measure(
  target: Target,
  { seconds }: Pick<Bench, 'seconds'>,
  around: () => Promise<void> = async () => undefined,
): Promise<Measurement> {
  const { pid, behind } = target;
  const load = new Load(target);
  await warmUp(load, target.warmAnswers ?? 0);
  await around();
  const own = cpuMs(pid);
  const others = total(behind);
  const sample = await load.measure(seconds * 1_000);
  const cpu = cpuMs(pid) - own;
  const allCpu = cpu + total(behind) - others;
  const memory = rssMiB(pid);
  await around();
  await load.stop();
  const { answers, unexpected, p50Us, p99Us } = sample;
  return {
    rate: answers / sample.seconds,
    p50Us,
    p99Us,
    cpuUs: (cpu * 1_000) / answers,
    allCpuUs: (allCpu * 1_000) / answers,
    busy: allCpu / 1_000 / sample.seconds,
    rssMiB: memory,
    unexpected,
  };
}

/** So many answers to few callers: a cold process and a cold database take no more at once. */
export async function visitAll(target: Omit<LoadOptions, 'connections'>, answers: number): Promise<void> {
  const load = new Load({ ...target, connections: FEW });
  await warmUp(load, answers);
  await load.stop();
}

async function warmUp(load: Load, answers: number): Promise<void> {
  const end = performance.now() + LONGEST_WARM_MS;
  do {
    await delay(WARM_MS);
    if (performance.now() > end) throw new Error(`${answers} answers did not come in ${LONGEST_WARM_MS} ms`);
  } while (load.answers - load.unexpected < answers);
}

function total(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
}
