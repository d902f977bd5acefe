import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../dev/engine-port.js';
import { ROLES } from '../../dev/system.js';
import { createLog } from '../../runtime/log.js';
import { Nats } from '../../runtime/nats.js';
import { ClickStream } from '../click-stream.js';
import { checkCounted, roughCount } from '../counted-clicks.js';
import { cpuMs, rssMiB } from '../proc.js';
import { type Bench, interleave, type Scenario } from '../scenario.js';
import { median, spread } from '../statistics.js';
import { type BenchSystem, startBenchSystem, startServer } from '../system.js';

/** Sent for each second that was asked for. */
const CLICKS_PER_SECOND = 10_000;
const IN_FLIGHT = 64;
const POLL_MS = 10;
const CONNECT_MS = 10_000;
const LONGEST_MS = 300_000;

interface Drained {
  /** Events a second, from the first commit to the last. */
  rate: number;
  /** For each event, in microseconds. */
  cpuUs: number;
  mongodUs: number;
  allCpuUs: number;
  rssMiB: number;
}

/** One stats process drains a stream that is full already: events a second, each counted exactly once. */
export const scenario: Scenario = {
  async run(bench) {
    const system = await startBenchSystem(bench, ROLES);
    const clicks = bench.seconds * CLICKS_PER_SECOND;
    const found = await interleave(bench, new Map([['4 partitions', (round) => drain(bench, system, clicks, round)]]));
    return [
      {
        title: `ingest: ${clicks} clicks from the stream to exact numbers, one stats process`,
        columns: ['row', 'events/s (least to most)', 'CPU µs', 'MongoDB CPU µs', 'with servers µs', 'RSS MiB'],
        rows: [...found].map(([name, rounds]) => {
          const mid = (read: (round: Drained) => number) => median(rounds.map(read));
          return [
            name,
            spread(rounds.map((round) => round.rate)),
            mid((round) => round.cpuUs).toFixed(1),
            mid((round) => round.mongodUs).toFixed(1),
            mid((round) => round.allCpuUs).toFixed(1),
            mid((round) => round.rssMiB).toFixed(0),
          ];
        }),
        notes: [
          'Messages of 100 clicks of 20 tenants and 5,000 links by Zipf, 1 in 10 by a robot; 1 message in 50 comes twice.',
          'Each round checked: raw clicks and roll-ups are those of the generator, link by link.',
          'The stats process has one CPU, MongoDB, Redis and NATS the other.',
          'Each round has a process, a database and a stream that were empty before; CPU from the first commit to the last.',
        ],
      },
    ];
  },
};

async function drain(bench: Bench, system: BenchSystem, clicks: number, round: number): Promise<Drained> {
  const truth = await fill(system, clicks);
  const name = `ingest_${round}`;
  const db = system.db(name);
  // There is no load meanwhile: its CPU is free.
  const onOtherCpu = { ...bench, pinning: { ...bench.pinning, server: bench.pinning.load } };
  const stats = await startServer(onOtherCpu, 'stats', 'services/stats/main.ts', {
    ...system.env.stats,
    WAYPOST_LOG_LEVEL: 'info',
    WAYPOST_MONGODB_DATABASE: name,
    WAYPOST_STATS_ADDRESS: '127.0.0.1:0',
    WAYPOST_STATS_METRICS_ADDRESS: '127.0.0.1:0',
  });
  const { mongod, nats } = system.pids;
  const used = () => ({ stats: cpuMs(stats.pid), mongod: cpuMs(mongod), nats: cpuMs(nats) });
  const first = await whenCounted(1);
  const before = used();
  const last = await whenCounted(clicks);
  const after = used();
  const memory = rssMiB(stats.pid);
  await stats.stop();
  await checkCounted(db, truth);
  await db.dropDatabase();

  const events = last.count - first.count;
  const each = (ms: number): number => (ms * 1_000) / events;
  const cpu = {
    stats: after.stats - before.stats,
    mongod: after.mongod - before.mongod,
    nats: after.nats - before.nats,
  };
  return {
    rate: (events * 1_000) / (last.at - first.at),
    cpuUs: each(cpu.stats),
    mongodUs: each(cpu.mongod),
    allCpuUs: each(cpu.stats + cpu.mongod + cpu.nats),
    rssMiB: memory,
  };

  async function whenCounted(least: number): Promise<{ count: number; at: number }> {
    const end = performance.now() + LONGEST_MS;
    for (;;) {
      const count = await roughCount(db);
      const at = performance.now();
      if (count >= least) return { count, at };
      if (at > end) throw new Error(`${count} of ${clicks} clicks were stored in ${LONGEST_MS} ms`);
      await delay(POLL_MS);
    }
  }
}

/** Fills the stream, as a redirect process would. Resolves with what must be counted. */
async function fill(system: BenchSystem, clicks: number): Promise<ReadonlyMap<string, number>> {
  const url = system.env.redirect.WAYPOST_NATS_URL ?? '';
  const nats = new Nats({ url, name: 'bench', replicas: 1, owns: ['CLICKS'], log: createLog('bench', 'error') });
  const stream = new ClickStream();
  try {
    await until(async () => {
      const manager = await nats.manager();
      return (await manager.streams.info('CLICKS')).state.messages === 0;
    }, AbortSignal.timeout(CONNECT_MS));
    let sending: Promise<void>[] = [];
    for (const { subject, id, body } of stream.messages(clicks)) {
      sending.push(nats.publish(subject, body, id));
      if (sending.length < IN_FLIGHT) continue;
      await Promise.all(sending);
      sending = [];
    }
    await Promise.all(sending);
  } finally {
    await nats.stop();
  }
  return stream.truth;
}
