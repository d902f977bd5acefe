import { expect, test } from 'vitest';
import { ClickBatch } from '../../gen/proto/waypost/click/v1/click.js';
import { ClientAddress } from '../../runtime/client-address.js';
import { createLog } from '../../runtime/log.js';
import type { SealedBatch } from './click-batch.js';
import { ClickMaker } from './click-maker.js';
import { Clicks } from './clicks.js';
import type { Visit } from './visit.js';

const LIMIT = 100;
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';

/** The pipeline before a sender that takes nothing until it is told to. */
function pipeline(limit = LIMIT) {
  const sent: ClickBatch[] = [];
  const dropped: string[] = [];
  const sender = {
    ready: false,
    send: async ({ body }: SealedBatch) => void sent.push(ClickBatch.decode(body)),
    settled: async () => undefined,
    stop: async () => [] as SealedBatch[],
  };
  const clients = new ClientAddress([]);
  const maker = new ClickMaker({ clients, countries: { of: () => '' }, salts: { at: () => undefined } });
  const metrics = { dropped: (dropClass: string) => void dropped.push(dropClass) };
  const clicks = new Clicks({ maker, sender, metrics, log: createLog('test', 'silent'), limit });
  return { clicks, sender, sent, dropped };
}

function visit(userAgent: string, version = 1): Visit {
  const link = { linkId: 'lnk_1', tenantId: 'ten_1', rev: 1, version, targetUrl: 'https://t.example/' } as const;
  const host = { hostname: 's.example', domainId: 'dom_1', tenantId: 'ten_1', groupId: 'grp_1', rev: 1 } as const;
  const visited = {
    link: { ...link, redirectType: 302, risk: 'ALLOW', disabled: false },
    host: { ...host, codeCase: 'SENSITIVE' },
    code: 'a',
  } as const;
  const rawHeaders = ['User-Agent', userAgent];
  return { timeMs: 1, visited, head: false, url: '/a', rawHeaders, peer: '::1', status: 302, costUs: 1 };
}

test('every drop is counted, bots first, and told with the next batch alone', async () => {
  const { clicks, sent, dropped } = pipeline();
  for (let i = 0; i < LIMIT; i++) clicks.take(visit(i < 30 ? BOT : PERSON));
  for (let i = 0; i < 35; i++) clicks.take(visit(PERSON));
  await clicks.stop();
  expect(dropped.filter((each) => each === 'bot')).toHaveLength(30);
  expect(dropped.filter((each) => each === 'other')).toHaveLength(5);
  expect(sent.map(({ droppedBots, droppedOthers }) => [droppedBots, droppedOthers])).toEqual([[30, 5]]);
  expect(sent[0]?.clicks.map(({ userAgent }) => userAgent)).toEqual(new Array(LIMIT).fill(PERSON));
});

test('a visit of which no click can be made is counted, and takes no other with it', async () => {
  const { clicks, sent, dropped } = pipeline();
  clicks.take(visit(PERSON));
  clicks.take({ ...visit(PERSON), visited: undefined } as unknown as Visit);
  clicks.take({ ...visit(PERSON), costUs: Number.NaN });
  clicks.take(visit(PERSON, Number.NaN));
  await clicks.stop();
  expect(dropped).toEqual(['other', 'other']);
  expect(sent.flatMap((batch) => batch.clicks.map(({ targetVersion }) => targetVersion))).toEqual([1, 0]);
});

test('a batch leaves when 100 clicks wait, and less than 100 within 200 ms', async () => {
  const { clicks, sender, sent } = pipeline(1_000);
  sender.ready = true;
  const sizes = () => sent.map((batch) => batch.clicks.length);
  for (let i = 0; i < 90; i++) clicks.take(visit(PERSON));
  await new Promise(setImmediate);
  expect(sizes()).toEqual([]);
  for (let i = 0; i < 50; i++) clicks.take(visit(PERSON));
  await new Promise(setImmediate);
  expect(sizes()).toEqual([100]);
  clicks.start();
  await expect.poll(sizes, { timeout: 1_000, interval: 20 }).toEqual([100, 40]);
  await clicks.stop();
});
