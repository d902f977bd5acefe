import { readdir } from 'node:fs/promises';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Options } from './options.js';
import type { Pinning } from './pinning.js';
import type { Table } from './table.js';

/** What a scenario is given. */
export interface Bench extends Options {
  pinning: Pinning;
  /** Its own directory; removed afterwards. */
  dir: string;
  /** What is added here is stopped afterwards, the last first. */
  life: Lifecycle;
  /** Tells a person who waits what happens now. */
  say(line: string): void;
}

/** One file of scenarios/, which exports it as `scenario`; its name is the file's. */
export interface Scenario {
  run(bench: Bench): Promise<Table[]>;
}

const FOLDER = new URL('scenarios/', import.meta.url);

export async function scenarioNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();
}

export async function loadScenario(name: string): Promise<Scenario> {
  const module = (await import(new URL(`${name}.ts`, FOLDER).href)) as { scenario: Scenario };
  return module.scenario;
}

/** Every row once in each round, so that what changes on the machine meanwhile meets all of them alike. */
export async function interleave<T>(
  bench: Bench,
  rows: ReadonlyMap<string, (round: number) => Promise<T>>,
): Promise<Map<string, T[]>> {
  const results = new Map<string, T[]>([...rows.keys()].map((name) => [name, []]));
  for (let round = 0; round < bench.rounds; round++) {
    for (const [name, measure] of rows) {
      bench.say(`round ${round + 1} of ${bench.rounds}: ${name}`);
      results.get(name)?.push(await measure(round));
    }
  }
  return results;
}
