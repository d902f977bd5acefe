import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickGenerator, type Target, type Visit } from './click-generator.js';
import { eventually, made, type Rig, startRig } from './rig.js';
import { type Service, startService } from './service-process.js';

/** Statistics against the generator's own log, also of what was visited while the parts behind them died. */
let rig: Rig;
let stats: Service[] = [];
let generator: ClickGenerator;

beforeAll(async () => {
  rig = await startRig({ without: ['stats'], env: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1,::1' } });
  // Two, so that one takes over when the other is killed. The gateway calls the first.
  stats = [await startStats(0), await startStats(1)];
  generator = new ClickGenerator();
});
afterAll(async () => {
  generator?.stop();
  await Promise.all(stats.map((each) => each.stop()));
  await rig?.stop();
});

function startStats(index: number): Promise<Service> {
  const env = rig.system.envOf('stats');
  return startService('stats', index === 0 ? env : { ...env, WAYPOST_STATS_ADDRESS: '127.0.0.1:0' });
}

async function target(name: string): Promise<Target> {
  const { id, shortUrl, version } = made(await rig.createLink({ targetUrl: `https://example.com/${name}` }));
  return { shortUrl, linkId: id, targetVersion: version };
}

const DIMENSIONS = {
  LINK: (visit: Visit) => visit.linkId,
  COUNTRY: (visit: Visit) => visit.country,
  DEVICE: (visit: Visit) => visit.device,
  BROWSER: (visit: Visit) => visit.browser,
  OS: (visit: Visit) => visit.os,
  REFERRER: (visit: Visit) => visit.referrer,
  LANGUAGE: (visit: Visit) => visit.language,
  TRAFFIC_CLASS: (visit: Visit) => visit.trafficClass,
  TRIGGER: (visit: Visit) => visit.trigger,
  TARGET_VERSION: (visit: Visit) => String(visit.targetVersion),
};

interface Metrics {
  clicks: number;
  visitors: { value: number } | null;
  excluded: { class: string; count: number }[];
}

type Statistics = {
  quality: { exact: boolean; droppedAtEdge: number; tooLate: number };
  totals: Metrics;
} & Record<'HOUR' | 'DAY', { metrics: Metrics }[]> &
  Record<keyof typeof DIMENSIONS, { rows: { key: string; metrics: Metrics }[] }>;

async function statistics(targets: readonly Target[]): Promise<Statistics> {
  const breakdowns = Object.keys(DIMENSIONS).map(
    (name) => `${name}: breakdown(by: ${name}, first: 100) { rows { key metrics { clicks } } }`,
  );
  const query = `query ($ids: [ID!]) { analytics(query: {scope: {linkIds: $ids}, range: {preset: ALL}, timeZone: "Asia/Kolkata"}) {
    quality { exact droppedAtEdge tooLate }
    totals { clicks visitors { value } excluded { class count } }
    HOUR: series(granularity: HOUR) { metrics { clicks } }
    DAY: series(granularity: DAY) { metrics { clicks } }
    ${breakdowns.join('\n')} } }`;
  const ids = targets.map(({ linkId }) => linkId);
  const { data, errors } = await rig.graphql<{ analytics: Statistics }>(query, { ids });
  if (errors) throw new Error(JSON.stringify(errors));
  return data!.analytics;
}

function tally(visits: readonly Visit[], keyOf: (visit: Visit) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const visit of visits) {
    const key = keyOf(visit) || '(unknown)';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Every number of these links, within `withinMs`, is what the generator did. */
async function exactly(targets: readonly Target[], withinMs: number): Promise<number> {
  const visits = generator.visits.filter(({ linkId }) => targets.some((each) => each.linkId === linkId));
  const people = visits.filter(({ trafficClass }) => trafficClass === 'HUMAN');
  const took = await eventually(withinMs, async () => {
    const { totals } = await statistics(targets);
    return totals.excluded.reduce((sum, { count }) => sum + count, totals.clicks) >= visits.length;
  });
  const found = await statistics(targets);
  const classes = tally(visits, ({ trafficClass }) => trafficClass);
  expect(found.totals.clicks).toBe(people.length);
  expect(found.totals.visitors?.value).toBe(new Set(people.flatMap(({ visitor }) => visitor ?? [])).size);
  expect(Object.fromEntries(found.totals.excluded.map(({ class: name, count }) => [name, count]))).toEqual(
    Object.fromEntries(['BOT', 'PREVIEW', 'PREFETCH', 'HEAD'].map((name) => [name, classes[name] ?? 0])),
  );
  for (const [name, keyOf] of Object.entries(DIMENSIONS)) {
    const { rows } = found[name as keyof typeof DIMENSIONS];
    const shown = Object.fromEntries(rows.map(({ key, metrics }) => [key, metrics.clicks]));
    expect({ [name]: shown }).toEqual({ [name]: tally(people, keyOf) });
  }
  for (const series of [found.HOUR, found.DAY]) {
    expect(series.reduce((sum, { metrics }) => sum + metrics.clicks, 0)).toBe(people.length);
  }
  expect(found.quality).toEqual({ exact: true, droppedAtEdge: 0, tooLate: 0 });
  return took;
}

/** Visits at some hundreds a second until `over`. */
async function visitUntil(targets: readonly Target[], over: Promise<unknown>): Promise<void> {
  let running = true;
  void over.finally(() => {
    running = false;
  });
  while (running) await generator.visit(targets, 64);
  await over;
}

describe('statistics', () => {
  it('of 10,000 visits are right in every breakdown within 5 s of the last', async () => {
    const targets = await Promise.all(['a', 'b', 'c', 'd'].map(target));
    await generator.visit(targets, 5_000);
    const [first] = targets;
    const input = { id: first!.linkId, expectedVersion: 1, targetUrl: 'https://example.com/changed' };
    const changed = made(await rig.updateLink(input));
    await eventually(5_000, async () => {
      const { headers } = await rig.visit(first!.shortUrl, { headers: { 'sec-gpc': '1', 'user-agent': '' } });
      generator.visits.push(robot(headers.get('location')?.endsWith('/changed') ? changed.version : 1, first!));
      return headers.get('location')?.endsWith('/changed') ?? false;
    });
    await generator.visit([{ ...first!, targetVersion: changed.version }, ...targets.slice(1)], 5_000);
    expect(await exactly(targets, 5_000)).toBeLessThan(5_000);
  }, 60_000);

  it('are right after NATS was down for 30 s under load', async () => {
    const targets = [await target('nats')];
    const { nats } = rig.system.engines;
    nats!.kill('SIGKILL');
    await visitUntil(targets, new Promise((resolve) => setTimeout(resolve, 30_000)));
    await nats!.restart();
    await generator.visit(targets, 500);
    await exactly(targets, 30_000);
  }, 120_000);

  it('are right after MongoDB was killed and restarted under load', async () => {
    const targets = [await target('mongodb')];
    await generator.visit(targets, 500);
    const { mongod } = rig.system.engines;
    mongod!.kill('SIGKILL');
    await visitUntil(targets, mongod!.restart());
    await generator.visit(targets, 500);
    await exactly(targets, 30_000);
  }, 120_000);

  it('are right after the stats service was killed again and again under load', async () => {
    const targets = [await target('stats')];
    for (let i = 0; i < 4; i++) {
      await generator.visit(targets, 300);
      const dying = stats[i % 2]!.kill();
      await generator.visit(targets, 300);
      await dying;
      stats[i % 2] = await startStats(i % 2);
    }
    await exactly(targets, 30_000);
  }, 120_000);
});

/** A visit of the test itself, without a user agent. */
function robot(targetVersion: number, { shortUrl, linkId }: Target): Visit {
  const nothing = { country: '', device: 'OTHER', browser: '', os: '', referrer: '', language: '' };
  return { shortUrl, linkId, targetVersion, trafficClass: 'BOT', ...nothing, trigger: 'LINK', visitor: undefined };
}
