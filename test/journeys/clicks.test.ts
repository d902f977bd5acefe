import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type LinkNode, made, type Rig, startRig } from './rig.js';

/** Every click counted once, whatever was away meanwhile: the numbers of the API against the generator's own. */
let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

interface Totals {
  total: number;
  human: number;
  bot: number;
  unique: number | null;
  asOf: string;
}

const PEOPLE = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0',
];
const ROBOTS = [
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'WhatsApp/2.23.20.0',
  'Slackbot-LinkExpanding 1.0',
  '',
];

async function totals(link: LinkNode, range?: object): Promise<Totals> {
  const query =
    'query ($id: ID!, $range: TimeRangeInput) { link(id: $id) { clicks(range: $range) { total human bot unique asOf } } }';
  const { data, errors } = await rig.graphql<{ link: { clicks: Totals } }>(query, { id: link.id, range });
  if (errors) throw new Error(JSON.stringify(errors));
  return data!.link.clicks;
}

/** Visits by people and robots in turn, with HEAD requests and prefetches between; how many were clicks of whom. */
async function visit(link: LinkNode, requests: number): Promise<{ human: number; bot: number }> {
  const counted = { human: 0, bot: 0 };
  const one = async (i: number): Promise<void> => {
    const human = i % 3 !== 0;
    const agents = human ? PEOPLE : ROBOTS;
    const headers: Record<string, string> = { 'user-agent': agents[i % agents.length]! };
    const head = i % 10 === 7;
    const prefetch = i % 10 === 8;
    if (prefetch) headers['sec-purpose'] = 'prefetch;prerender';
    const response = await rig.visit(link.shortUrl, { method: head ? 'HEAD' : 'GET', headers });
    expect(response.status).toBe(302);
    if (!head && !prefetch) counted[human ? 'human' : 'bot']++;
  };
  for (let i = 0; i < requests; i += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => one(i + k)));
  return counted;
}

async function exactly(
  link: LinkNode,
  { human, bot }: { human: number; bot: number },
  withinMs: number,
): Promise<void> {
  await eventually(withinMs, async () => (await totals(link)).total >= human + bot);
  expect(await totals(link)).toMatchObject({ total: human + bot, human, bot });
}

describe('clicks', () => {
  it('are counted once, by people and robots apart, without HEAD requests and prefetches, within 5 s', async () => {
    const link = made(await rig.createLink({ targetUrl: 'https://example.com/counted' }));
    const counted = await visit(link, 2_000);
    await exactly(link, counted, 5_000);
    // One address, four browsers.
    expect((await totals(link)).unique).toBe(PEOPLE.length);
    expect(Date.parse((await totals(link)).asOf)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('are all there after NATS was killed under load and came back', async () => {
    const link = made(await rig.createLink({ targetUrl: 'https://example.com/outage' }));
    const before = await visit(link, 200);
    const { nats } = rig.system.engines;
    await nats!.kill('SIGKILL');
    const during = await visit(link, 1_000);
    await nats!.restart();
    const after = await visit(link, 200);
    const human = before.human + during.human + after.human;
    const bot = before.bot + during.bot + after.bot;
    await exactly(link, { human, bot }, 30_000);
  });

  it('of a range are those of its time alone, and of a link that nobody visited none', async () => {
    const link = made(await rig.createLink({ targetUrl: 'https://example.com/ranged' }));
    const none = { total: 0, human: 0, bot: 0 };
    expect(await totals(link)).toMatchObject(none);
    await exactly(link, await visit(link, 40), 5_000);
    expect(await totals(link, { preset: 'LAST_60_MIN' })).toMatchObject({ total: 32 });
    const past = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' };
    expect(await totals(link, { between: past })).toMatchObject(none);
  });

  it('refuse a range that is none, with its path', async () => {
    const query = 'query ($range: TimeRangeInput) { links(first: 1) { nodes { clicks(range: $range) { total } } } }';
    const range = { between: { from: '2020-02-30T00:00:00Z', to: '2020-02-01T00:00:00Z' } };
    const { errors } = await rig.graphql(query, { range });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'DATE_INVALID', argumentPath: ['range', 'between', 'from'] });
  });
});
