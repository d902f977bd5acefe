import { randomCode } from '../../model/code.js';
import { codeAt, firstHost, storeLinks } from '../links.js';
import { type Measurement, measure, visitAll } from '../measure.js';
import { type PathsTaken, pathsTaken } from '../paths-taken.js';
import { inTurn, visitRequest } from '../request.js';
import { type Bench, interleave, type Scenario } from '../scenario.js';
import { startNginx } from '../servers/nginx.js';
import { median, sameRoundDifference, sameRoundRatio, spread } from '../statistics.js';
import { type BenchSystem, type Server, startBenchSystem, startPod, startServer } from '../system.js';
import type { Table } from '../table.js';

const CONNECTIONS = 64;
/** Codes that every row but the one of MongoDB visits in turn. */
const CODES = 5_000;
/** The least that the setting allows: 5,000 codes in turn never find themselves in it. */
const SMALL_L1 = { WAYPOST_L1_ENTRIES: '1000' };
/** Faster than MongoDB answers: each code of its row is visited once, over all rounds. */
const COLD_PER_SECOND = 6_000;
/** Longer than any code of a link, so that none is hit. */
const SCAN_LENGTH = 9;

const NGINX = 'nginx `return 302`';
const BARE = 'bare node:http + Map';
const WITH = 'L1 hit';
const WITHOUT = 'L1 hit, clicks not taken';
const REDIS = 'Redis hit';
const MONGODB = 'MongoDB hit';
const SCAN = '404 scan';
const BARE_SCAN = '404 of bare node:http';

interface Row extends Measurement {
  /** Share of the requests that the level answered that the row is named after. */
  meant?: number;
}

/** GET /{code} over every path that it can take, against what the machine and the language allow. */
export const scenario: Scenario = {
  async run(bench) {
    // Without stats: what drained the clicks of one row would take the CPU of the next.
    const system = await startBenchSystem(bench, ['redirect', 'stats']);
    const rows = await rowsOf(bench, system);
    const found = await interleave(bench, rows);
    return [table(found)];
  },
};

async function rowsOf(bench: Bench, system: BenchSystem): Promise<Map<string, () => Promise<Row>>> {
  const cold = coldCodes(bench);
  bench.say(`storing ${CODES + cold.count} links`);
  const db = system.db();
  await storeLinks(system.mongodbUrl, db, await firstHost(db), CODES + cold.count);

  const pod = await startPod(bench, system, 'pod');
  const silent = await startPod(bench, system, 'silent', { module: 'bench/servers/redirect-without-clicks.ts' });
  const small = await startPod(bench, system, 'small', { env: SMALL_L1 });
  const bare = await startServer(bench, 'bare', 'bench/servers/bare-http.ts', {}, String(CODES));
  const nginx = await startNginx(bench);

  const visits = inTurn(Array.from({ length: CODES }, (_, i) => visitRequest(codeAt(i))));
  bench.say('visiting every code once');
  for (const { port } of [silent, pod, small]) await visitAll({ port, next: visits, status: 302 }, CODES);
  const scan = () => visitRequest(randomCode(SCAN_LENGTH));
  const behind = Object.values(system.pids);
  const row = (server: Server, next: () => Buffer, status: number, level?: keyof PathsTaken) => () =>
    measureRow(
      bench,
      {
        port: server.port,
        pid: server.pid,
        connections: CONNECTIONS,
        next,
        status,
        behind,
        warmAnswers: level === 'l1' || level === 'redis' ? CODES : 0,
      },
      server,
      level,
    );

  return new Map([
    ...(nginx ? [[NGINX, row(nginx, visits, 302)] as const] : []),
    [BARE, row(bare, visits, 302)],
    [WITHOUT, row(silent, visits, 302, 'l1')],
    [WITH, row(pod, visits, 302, 'l1')],
    [REDIS, row(small, visits, 302, 'redis')],
    [MONGODB, row(small, cold.next, 302, 'mongodb')],
    [BARE_SCAN, row(bare, scan, 404)],
    [SCAN, row(small, scan, 404, 'mongodb')],
  ]);
}

async function measureRow(
  bench: Bench,
  target: Parameters<typeof measure>[0],
  { metricsUrl }: Server,
  level: keyof PathsTaken | undefined,
): Promise<Row> {
  if (!metricsUrl || !level) return measure(target, bench);
  let paths: PathsTaken | undefined;
  const found = await measure(target, bench, async () => {
    paths = await pathsTaken(metricsUrl);
  });
  return { ...found, ...(paths ? { meant: paths[level] } : {}) };
}

/** Codes that no row but MongoDB's visits, each once: whatever is read goes to Redis. */
function coldCodes({ rounds, seconds }: Bench) {
  const count = rounds * (seconds + 2) * COLD_PER_SECOND;
  let n = 0;
  function next(): Buffer {
    if (n === count) throw new Error('MongoDB answers faster than was thought: COLD_PER_SECOND is too small');
    return visitRequest(codeAt(CODES + n++));
  }
  return { count, next };
}

function table(found: ReadonlyMap<string, readonly Row[]>): Table {
  const of = (name: string, read: (row: Row) => number): number[] => (found.get(name) ?? []).map(read);
  const rate = (row: Row) => row.rate;
  const ratio = (name: string, reference: string): string =>
    found.has(reference) ? sameRoundRatio(of(name, rate), of(reference, rate)).toFixed(2) : '';
  const rows = [...found].map(([name, measured]) => {
    const mid = (read: (row: Row) => number) => median(measured.map(read));
    const meant = measured[0]?.meant === undefined ? '' : `${(100 * mid((row) => row.meant ?? 0)).toFixed(0)} %`;
    return [
      name,
      mid(rate).toFixed(0),
      ratio(name, NGINX),
      ratio(name, BARE),
      ratio(name, WITHOUT),
      mid((row) => row.cpuUs).toFixed(1),
      mid((row) => row.allCpuUs).toFixed(1),
      mid((row) => row.busy).toFixed(2),
      (mid((row) => row.p50Us) / 1_000).toFixed(2),
      (mid((row) => row.p99Us) / 1_000).toFixed(2),
      mid((row) => row.rssMiB).toFixed(0),
      meant,
      String(measured.reduce((sum, row) => sum + row.unexpected, 0)),
    ];
  });
  const cost = (read: (row: Row) => number): string =>
    spread(sameRoundDifference(of(WITH, read), of(WITHOUT, read)), 1);
  return {
    title: 'redirect: GET /{code}, 64 keep-alive connections, 15 browser headers',
    columns: [
      ...['row', 'req/s', '× nginx', '× bare', '× L1 without clicks', 'CPU µs', 'with servers µs', 'busy'],
      ...['p50 ms', 'p99 ms', 'RSS MiB', 'as meant', 'other answers'],
    ],
    rows,
    notes: [
      `A click costs ${cost((row) => row.cpuUs)} µs of the process’s CPU, ${cost((row) => row.allCpuUs)} µs with NATS.`,
      'CPU µs is of the process that answers, a request; “with servers” adds MongoDB, Redis and NATS, which share its CPU.',
      'busy: share of one CPU that these used. As meant: share of requests that the level answered that names the row.',
      'Latencies are those of a closed loop at saturation. The stats service stands still, so that it takes no CPU of a row.',
      ...(found.has(NGINX) ? [] : ['nginx is not installed here: its row is left out.']),
    ],
  };
}
