import type { HostEntry } from '../../model/host.js';
import { codeAt, firstHost, storeLinks } from '../links.js';
import { type Measurement, measure, visitAll } from '../measure.js';
import { inTurn, visitRequest } from '../request.js';
import { type Bench, interleave, type Scenario } from '../scenario.js';
import { median, sameRoundRatio, spread } from '../statistics.js';
import { type BenchSystem, startBenchSystem, startPod } from '../system.js';

const SMALL = 10_000;
const CONNECTIONS = 64;
/** Visited again and again by the rows of L1. */
const HOT = 5_000;
/** Nobody listens there: what L1 does not hold is read from MongoDB, and L1 holds next to nothing. */
const COLD = { WAYPOST_REDIS_URL: 'redis://127.0.0.1:1', WAYPOST_L1_ENTRIES: '1000' };

/** The same visits with few links and with many, each in a database of its own on one MongoDB. */
export const scenario: Scenario = {
  async run(bench) {
    // Link and domain are there for their beats, without which a redirect process polls.
    const system = await startBenchSystem(bench, ['redirect', 'stats']);
    const few = await prepare(bench, system, SMALL);
    const many = await prepare(bench, system, bench.links);
    const cold = [`MongoDB hit, ${few.name}`, `MongoDB hit, ${many.name}`] as const;
    const hot = [`L1 hit, ${few.name}`, `L1 hit, ${many.name}`] as const;
    const found = await interleave(
      bench,
      new Map([
        [cold[0], few.cold],
        [cold[1], many.cold],
        [hot[0], few.hot],
        [hot[1], many.hot],
      ]),
    );
    const rates = (name: string): number[] => (found.get(name) ?? []).map(({ rate }) => rate);
    const ratios = [cold, hot].map(([less, more]) => sameRoundRatio(rates(more), rates(less)).toFixed(2));
    return [
      {
        title: `growth: ${few.name} against ${many.name}`,
        columns: [
          'row',
          'req/s (least to most)',
          '× fewer links',
          'CPU µs',
          'with servers µs',
          'p50 ms',
          'p99 ms',
          'other answers',
        ],
        rows: [...found].map(([name, rounds]) => {
          const mid = (read: (row: Measurement) => number) => median(rounds.map(read));
          return [
            name,
            spread(rounds.map((row) => row.rate)),
            (name === cold[1] ? ratios[0] : name === hot[1] ? ratios[1] : '') ?? '',
            mid((row) => row.cpuUs).toFixed(1),
            mid((row) => row.allCpuUs).toFixed(1),
            (mid((row) => row.p50Us) / 1_000).toFixed(2),
            (mid((row) => row.p99Us) / 1_000).toFixed(2),
            String(rounds.reduce((sum, row) => sum + row.unexpected, 0)),
          ];
        }),
        notes: [
          'MongoDB hits: Redis away and an L1 of 1,000 links, every code of the database in turn. MongoDB has a cache of 0.5 GiB.',
          'L1 hits: the same 5,000 codes in turn. Links were stored as the link service stores them, with its indexes.',
        ],
      },
    ];
  },
};

/** A database with so many links of a host of its own, so that Redis holds those of both apart, and its two pods. */
async function prepare(bench: Bench, system: BenchSystem, links: number) {
  const name = `${links} links`;
  bench.say(`storing ${name}`);
  const database = `growth_${links}`;
  const db = system.db(database);
  const { hostname, ...given } = await firstHost(system.db());
  const host: HostEntry = { hostname, ...given, groupId: `grp_growth${links}` };
  await db
    .collection<Omit<HostEntry, 'hostname'> & { _id: string }>('hosts')
    .insertOne({ ...given, groupId: host.groupId, _id: hostname });
  await storeLinks(system.mongodbUrl, db, host, links);

  const env = { WAYPOST_MONGODB_DATABASE: database };
  const coldPod = await startPod(bench, system, `cold-${links}`, { env: { ...env, ...COLD } });
  const hotPod = await startPod(bench, system, `hot-${links}`, { env });
  const hotVisits = inTurn(Array.from({ length: HOT }, (_, i) => visitRequest(codeAt(i))));
  let n = 0;
  const coldVisits = () => visitRequest(codeAt(n++ % links));
  for (const [{ port }, next] of [
    [coldPod, coldVisits],
    [hotPod, hotVisits],
  ] as const) {
    await visitAll({ port, next, status: 302 }, HOT);
  }
  const behind = Object.values(system.pids);
  const rest = { connections: CONNECTIONS, status: 302, behind };
  return {
    name,
    cold: () => measure({ ...rest, port: coldPod.port, pid: coldPod.pid, next: coldVisits }, bench),
    hot: () => measure({ ...rest, port: hotPod.port, pid: hotPod.pid, next: hotVisits, warmAnswers: HOT }, bench),
  };
}
