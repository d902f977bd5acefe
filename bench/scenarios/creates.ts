import { type Measurement, measure } from '../measure.js';
import { postRequest } from '../request.js';
import { type Bench, interleave, type Scenario } from '../scenario.js';
import { median, spread } from '../statistics.js';
import { type BenchSystem, startBenchSystem } from '../system.js';

const CALLERS = [1, 64];
const WARM_EACH = 20;
const QUERY =
  'mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id shortUrl version } problems { code } } }';

/** createLink at the GraphQL edge, one link a mutation; every service with its servers on one CPU. */
export const scenario: Scenario = {
  async run(bench) {
    const system = await startBenchSystem(bench, ['redirect', 'stats']);
    const rows = new Map(CALLERS.map((callers) => [nameOf(callers), () => create(bench, system, callers)]));
    const found = await interleave(bench, rows);
    return [
      {
        title: 'creates: createLink over GraphQL',
        columns: [
          'row',
          'creates/s (least to most)',
          'services CPU µs',
          'with servers µs',
          'busy',
          'p50 ms',
          'p99 ms',
          'RSS MiB',
        ],
        rows: [...found].map(([name, measured]) => {
          const mid = (read: (row: Measurement) => number) => median(measured.map(read));
          return [
            name,
            spread(measured.map((row) => row.rate)),
            mid((row) => row.cpuUs).toFixed(0),
            mid((row) => row.allCpuUs).toFixed(0),
            mid((row) => row.busy).toFixed(2),
            (mid((row) => row.p50Us) / 1_000).toFixed(1),
            (mid((row) => row.p99Us) / 1_000).toFixed(1),
            mid((row) => row.rssMiB).toFixed(0),
          ];
        }),
        notes: [
          'Gateway, tenant, link, domain and risk are one process here; the calls between them are gRPC all the same.',
          'Each row was checked: the database has exactly as many new links as answers came.',
        ],
      },
    ];
  },
};

function nameOf(callers: number): string {
  return callers === 1 ? '1 caller' : `${callers} callers`;
}

let made = 0;

function createRequest(key: string): Buffer {
  const input = { targetUrl: `https://www.example.com/products/${made++}?utm_source=newsletter&utm_medium=email` };
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return postRequest('/graphql', headers, JSON.stringify({ query: QUERY, variables: { input } }));
}

/** @throws when an answer was no link */
async function create(bench: Bench, system: BenchSystem, callers: number): Promise<Measurement> {
  const links = system.db().collection('links');
  const [before, asked] = [await links.countDocuments(), made];
  const target = {
    port: Number(new URL(system.gatewayUrl).port),
    pid: system.pid,
    behind: Object.values(system.pids),
    connections: callers,
    warmAnswers: callers * WARM_EACH,
    status: 200,
    next: () => createRequest(system.key),
  };
  const found = await measure(target, bench);
  const stored = (await links.countDocuments()) - before;
  if (stored !== made - asked || found.unexpected > 0) {
    throw new Error(
      `${made - asked} links were asked for, ${stored} are there, ${found.unexpected} answers were refusals`,
    );
  }
  return found;
}
