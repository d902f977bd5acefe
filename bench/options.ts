import { parseArgs } from 'node:util';

export interface Options {
  /** Names of the scenarios; none: all. */
  only: string[];
  rounds: number;
  /** Measured of each row in each round, beside its warm-up. */
  seconds: number;
  /** Links of the larger database of `growth`. */
  links: number;
  /** Where the results are written; undefined: nowhere. */
  out: string | undefined;
  /** Folder for CPU profiles of the processes of ours, which costs them some time. */
  profile: string | undefined;
}

export const USAGE = `npm run bench [-- [scenario …] [--rounds 5] [--seconds 5] [--links 1000000] [--out FILE] [--profile FOLDER]]`;

/** A run of every scenario writes bench/RESULTS.md; one of some, only where it is told to. @throws on what it doesn't know */
export function readOptions(argv: readonly string[], scenarios: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      links: { type: 'string', default: '1000000' },
      out: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const unknown = positionals.filter((name) => !scenarios.includes(name));
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}; there are ${scenarios.join(', ')}`);
  const all = positionals.length === 0;
  return {
    only: all ? [...scenarios] : positionals,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    links: positive('links', values.links),
    out: values.out ?? (all ? 'bench/RESULTS.md' : undefined),
    profile: values.profile,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1`);
  return value;
}
