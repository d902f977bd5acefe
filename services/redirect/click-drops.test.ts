import { expect, test } from 'vitest';
import { ClickBatch } from '../../gen/proto/waypost/click/v1/click.js';
import { ClientAddress } from '../../runtime/client-address.js';
import { createLog } from '../../runtime/log.js';
import { partitionOf, type SealedBatch } from './click-batch.js';
import { ClickMaker } from './click-maker.js';
import { Clicks } from './clicks.js';
import type { Visit } from './visit.js';

const LIMIT = 100;
const HOUR_MS = 3_600_000;
const NOW = 500_000 * HOUR_MS + 1;
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';

/** The pipeline before a sender that takes nothing until it is told to. */
function pipeline(limit = LIMIT) {
  const sent: ClickBatch[] = [];
  const dropped: string[] = [];
  const sender = {
    ready: false,
    /** Whether what is given has a place. */
    places: true,
    left: [] as SealedBatch[],
    send: async (batch: SealedBatch) => {
      if (sender.places) sent.push(ClickBatch.decode(batch.body));
      else sender.left.push(batch);
      return sender.places;
    },
    settled: async () => undefined,
    drain: async () => sender.left.splice(0),
    stop: async () => sender.left.splice(0),
  };
  const clients = new ClientAddress([]);
  const maker = new ClickMaker({ clients, countries: { of: () => '' }, salts: { at: () => undefined } });
  const metrics = { dropped: (dropClass: string) => void dropped.push(dropClass) };
  const clicks = new Clicks({ maker, sender, metrics, log: createLog('test', 'silent'), limit });
  return { clicks, sender, sent, dropped };
}

function visit(userAgent: string, version = 1, tenantId = 'ten_1'): Visit {
  const link = { linkId: 'lnk_1', tenantId, rev: 1, version, targetUrl: 'https://t.example/' } as const;
  const host = { hostname: 's.example', domainId: 'dom_1', tenantId: 'ten_1', groupId: 'grp_1', rev: 1 } as const;
  const visited = {
    link: { ...link, redirectType: 302, risk: 'ALLOW', disabled: false },
    host: { ...host, codeCase: 'SENSITIVE' },
    code: 'a',
  } as const;
  const rawHeaders = ['User-Agent', userAgent];
  return { timeMs: NOW, visited, head: false, url: '/a', rawHeaders, peer: '::1', status: 302, costUs: 1 };
}

test('every drop is counted, bots first, and told with the next batch', async () => {
  const { clicks, sent, dropped } = pipeline();
  for (let i = 0; i < LIMIT; i++) clicks.take(visit(i < 30 ? BOT : PERSON));
  for (let i = 0; i < 35; i++) clicks.take(visit(PERSON));
  await clicks.stop();
  expect(dropped.filter((each) => each === 'bot')).toHaveLength(30);
  expect(dropped.filter((each) => each === 'other')).toHaveLength(5);
  const total = { tenantId: 'ten_1', hourMs: NOW - 1, bots: 30, others: 5 };
  expect(sent.map(({ drops }) => drops)).toEqual([[total]]);
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
  expect(sent.flatMap(({ drops }) => drops)).toEqual([{ tenantId: 'ten_1', hourMs: NOW - 1, bots: 0, others: 1 }]);
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

test('drops are told of without a click that waits, each tenant’s by its partition, and no second time', async () => {
  const { clicks, sender, sent } = pipeline(1);
  const tenants = ['ten_1', 'ten_2', 'ten_3', 'ten_4', 'ten_5'];
  for (const tenant of [...tenants, 'ten_1']) clicks.take(visit(PERSON, 1, tenant));
  await new Promise(setImmediate);
  expect(sent).toEqual([]);
  sender.ready = true;
  clicks.start();
  const told = () => sent.flatMap(({ drops }) => drops.map(({ tenantId }) => tenantId)).sort();
  await expect.poll(told, { timeout: 1_000, interval: 20 }).toEqual(['ten_1', 'ten_2', 'ten_3', 'ten_4', 'ten_5']);
  for (const { drops } of sent)
    expect(new Set(drops.map(({ tenantId }) => partitionOf(tenantId))).size).toBeLessThan(2);
  await clicks.stop();
  expect(told()).toHaveLength(5);
});

test('clicks that find no place at the end are counted, and told of when a place is there for that', async () => {
  const { clicks, sender, sent, dropped } = pipeline();
  sender.places = false;
  for (let i = 0; i < 12; i++) clicks.take(visit(i < 4 ? BOT : PERSON));
  sender.drain = async () => {
    sender.places = true;
    return sender.left.splice(0);
  };
  await clicks.stop();
  expect(dropped).toHaveLength(12);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ clicks: [], drops: [{ tenantId: 'ten_1', bots: 4, others: 8 }] });
});
