import { writeHistory } from '../click-history.js';
import { type Bench, interleave, type Scenario } from '../scenario.js';
import { percentile } from '../statistics.js';
import { type BenchSystem, startBenchSystem } from '../system.js';

const CLICKS = 5_000_000;
const LINKS = 10_000;
const TENANTS = 100;
const DAYS = 30;
const WARM = 5;

const RANGE = 'range: {preset: LAST_30D}, timeZone: "Asia/Shanghai"';
const PAGE = `quality { asOf } totals { clicks } series(granularity: DAY) { start metrics { clicks } }
  country: breakdown(by: COUNTRY) { rows { key metrics { clicks } } } referrer: breakdown(by: REFERRER) { rows { key metrics { clicks } } }
  browser: breakdown(by: BROWSER) { rows { key metrics { clicks } } } device: breakdown(by: DEVICE) { rows { key metrics { clicks } } }`;

/** Parts of a page of statistics, of the hottest link and of its tenant. */
const LINK_PANELS: Readonly<Record<string, string>> = {
  'hottest link: totals': 'totals { clicks excluded { class count } }',
  'hottest link: by day': 'series(granularity: DAY) { start metrics { clicks } }',
  'hottest link: by quarter hour': 'series(granularity: QUARTER_HOUR) { start metrics { clicks } }',
  'hottest link: top 10 countries': 'breakdown(by: COUNTRY) { rows { key metrics { clicks } } }',
  'hottest link: top 10 referrers': 'breakdown(by: REFERRER) { rows { key metrics { clicks } } }',
  'hottest link: a whole page (quality, totals, by day, 4 breakdowns)': PAGE,
};
const TENANT_PANELS: Readonly<Record<string, string>> = {
  'its tenant: a whole page': PAGE,
  'its tenant: top 10 links': 'breakdown(by: LINK) { rows { key metrics { clicks } } }',
};

/** Questions about a month of clicks, one caller, through GraphQL. */
export const scenario: Scenario = {
  async run(bench) {
    const system = await startBenchSystem({ ...bench, pinning: { ...bench.pinning, server: undefined } }, []);
    const hottest = await makeLink(system);
    await writeHistory(system.db(), { clicks: CLICKS, links: LINKS, tenants: TENANTS, days: DAYS, hottest }, bench.say);
    const ofLink = questions(LINK_PANELS, `scope: {linkIds: ["${hottest.linkId}"]}, ${RANGE}`);
    const ofTenant = questions(TENANT_PANELS, RANGE);
    // One after the other: those of the tenant read so much that what the others need has to be read from the disk again.
    const found = [...(await timesOf(bench, system, ofLink)), ...(await timesOf(bench, system, ofTenant))];
    return [
      {
        title: `queries: ${DAYS} days of ${CLICKS} clicks on ${LINKS} links, one caller over GraphQL`,
        columns: ['question', 'p50 ms', 'p95 ms', 'answers'],
        rows: found.map(([name, rounds]) => {
          const times = rounds.flat();
          return [name, percentile(times, 0.5).toFixed(1), percentile(times, 0.95).toFixed(1), String(times.length)];
        }),
        notes: [
          'Clicks by Zipf over links, evenly over days; the range begins within an hour, so single clicks are read too.',
        ],
      },
    ];
  },
};

async function makeLink(system: BenchSystem): Promise<{ linkId: string; tenantId: string }> {
  const query = 'mutation { createLink(input: {targetUrl: "https://example.com/hottest"}) { link { id } } }';
  const { createLink } = await ask<{ createLink: { link: { id: string } } }>(system, query);
  const { tenant } = await ask<{ tenant: { id: string } }>(system, '{ tenant { id } }');
  return { linkId: createLink.link.id, tenantId: tenant.id };
}

function questions(panels: Readonly<Record<string, string>>, query: string): Map<string, string> {
  return new Map(Object.entries(panels).map(([name, each]) => [name, `{ analytics(query: {${query}}) { ${each} } }`]));
}

/** Milliseconds of each answer, by question. */
async function timesOf(bench: Bench, system: BenchSystem, asked: ReadonlyMap<string, string>) {
  for (const query of asked.values()) for (let i = 0; i < WARM; i++) await ask(system, query);
  const rows = [...asked].map(([name, query]) => [name, () => askFor(bench.seconds * 1_000, system, query)] as const);
  return [...(await interleave(bench, new Map(rows)))];
}

async function askFor(ms: number, system: BenchSystem, query: string): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const began = performance.now();
    await ask(system, query);
    times.push(performance.now() - began);
  }
  return times;
}

async function ask<T>({ gatewayUrl, key }: BenchSystem, query: string): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(gatewayUrl, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
  if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`);
  return data;
}
