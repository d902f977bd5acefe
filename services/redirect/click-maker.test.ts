import { createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Click } from '../../gen/proto/waypost/click/v1/click.js';
import type { LinkSnapshot } from '../../model/snapshot.js';
import { ClientAddress } from '../../runtime/client-address.js';
import { ClickMaker } from './click-maker.js';
import type { Visit } from './visit.js';
import type { Salt } from './visitor.js';

const IP = '203.0.113.77';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
const NOW = Date.UTC(2026, 5, 1, 12);

function saltOf(byte: number): Salt {
  return { id: '2026-06-01', day: 20_605, secret: createSecretKey(Buffer.alloc(32, byte)) };
}

function make(visit: Partial<Visit> = {}, salt: Salt | null = saltOf(1), headers: string[] = [], tenant = 'ten_1') {
  const link: LinkSnapshot = {
    ...{ linkId: 'lnk_0000000000001', tenantId: tenant, rev: 9, version: 4, targetUrl: 'https://t.example/' },
    ...{ redirectType: 302, risk: 'ALLOW', disabled: false, effectiveAt: undefined, expiresAt: undefined },
  };
  const host = { domainId: 'dom_1', tenantId: tenant, groupId: 'grp_1', rev: 1, hostname: 's.example' };
  const visited = { link, host: { ...host, codeCase: 'SENSITIVE' as const }, code: 'Abc' };
  const rawHeaders = ['User-Agent', AGENT, 'Referer', 'https://r.example/', ...headers];
  const base = { timeMs: NOW, visited, head: false, url: '/Abc', rawHeaders, peer: IP, status: 302, costUs: 120 };
  const clients = new ClientAddress(['10.0.0.0/8']);
  const maker = new ClickMaker({ clients, countries: { of: () => 'NZ' }, salts: { at: () => salt ?? undefined } });
  return maker.make({ ...base, ...visit });
}

test('a click says what was visited, how, and by whom only in a hash', () => {
  const click = make({ url: '/Abc?qr=1', head: true }, saltOf(1), ['Sec-Purpose', 'prefetch']);
  expect(click).toMatchObject({
    ...{ timeMs: NOW, tenantId: 'ten_1', linkId: 'lnk_0000000000001', groupId: 'grp_1', domainId: 'dom_1' },
    ...{ shortCode: 'Abc', targetVersion: 4, saltId: '2026-06-01', country: 'NZ', userAgent: AGENT },
    ...{ referrer: 'https://r.example/', language: '', flags: { head: true, prefetch: true }, status: 302 },
    ...{ costUs: 120, trigger: 'TRIGGER_QR' },
  });
  expect(click.id).toHaveLength(16);
  expect(click.id.readUIntBE(0, 6)).toBe(NOW);
  expect(Click.decode(Click.encode(click).finish())).toEqual(click);
});

test('a click says which campaign and whether an ad led there', () => {
  const click = make({ url: '/Abc?utm_source=news&utm_medium=email&gclid=x' });
  const campaign = { source: 'news', medium: 'email', campaign: '', term: '', content: '' };
  expect(click).toMatchObject({ campaign, adClick: true });
  expect(Click.decode(Click.encode(click).finish())).toEqual(click);
  expect(make()).toMatchObject({ campaign: undefined, adClick: false });
});

test('the address of a visitor is nowhere in the click, nor is a proxy’s', () => {
  const click = make({ peer: '10.0.0.1' }, saltOf(1), ['X-Forwarded-For', IP]);
  const bytes = Buffer.from(Click.encode(click).finish());
  for (const address of [IP, '10.0.0.1']) {
    expect(inspect(click)).not.toContain(address);
    expect(bytes.includes(address)).toBe(false);
    expect(bytes.includes(Buffer.from(address.split('.').map(Number)))).toBe(false);
  }
});

test('a visitor is the same in one tenant and day, and another by salt, tenant, user agent and address', () => {
  expect(make().visitor).toBe(make({ url: '/other' }).visitor);
  expect(make().visitor).toBe(make({ peer: '10.0.0.1' }, saltOf(1), ['X-Forwarded-For', IP]).visitor);
  const others = [
    make({}, saltOf(2)),
    make({}, saltOf(1), [], 'ten_2'),
    make({ rawHeaders: ['User-Agent', 'another'] }),
    make({ peer: '203.0.113.78' }),
  ];
  expect(new Set([make(), ...others].map((click) => click.visitor)).size).toBe(5);
});

test.each([
  ['Sec-GPC', make({}, saltOf(1), ['Sec-GPC', '1'])],
  ['DNT', make({}, saltOf(1), ['DNT', '1'])],
  ['a visitor who has gone', make({ peer: '' })],
])('with %s the click counts without a visitor', (_name, click) => {
  expect(click.visitor).toBeUndefined();
  expect(click.saltId).toBe('');
});

test('without a salt the click counts without a visitor', () => {
  expect(make({}, null)).toMatchObject({ visitor: undefined, saltId: '', country: 'NZ' });
});
