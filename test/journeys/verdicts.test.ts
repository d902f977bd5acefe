import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, made, type Rig, startRig } from './rig.js';
import { type Service, startService } from './service-process.js';

/** The risk service runs as a process of its own, with a list of the operator's. */
let rig: Rig;
let risk: Service;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-list-'));
  const list = join(dir, 'hosts.txt');
  await writeFile(list, 'WARN odd.example\nREVIEW new.example looked at first\nBLOCK bad.example phishing\n');
  rig = await startRig({ without: ['risk'], env: { WAYPOST_RISK_HOST_LIST: list } });
  risk = await startService('risk', rig.system.envOf('risk'));
});
afterAll(async () => {
  await risk?.stop();
  await rig?.stop();
  await rm(dir, { recursive: true, force: true });
});

describe('a target on the list', () => {
  it('WARN: is stored, and visitors are shown where it leads before they go there', async () => {
    const link = made(await rig.createLink({ targetUrl: 'https://shop.odd.example/?a="><script>x</script>' }));
    expect(link.status).toBe('ACTIVE');
    const response = await rig.visit(link.shortUrl);
    const page = await response.text();
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    expect(page).toContain('shop.odd.example');
    expect(page).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('REVIEW: is stored, and not served until somebody has looked at it', async () => {
    const link = made(await rig.createLink({ targetUrl: 'https://new.example/' }));
    expect(link.status).toBe('PENDING_REVIEW');
    const response = await rig.visit(link.shortUrl);
    expect([response.status, response.headers.get('location')]).toEqual([404, null]);
    expect(await response.text()).not.toContain('new.example');
  });

  it('BLOCK: is refused, also below the listed host and by a change of target', async () => {
    const refused = { problems: [{ code: 'URL_BLOCKED', path: ['input', 'targetUrl'] }] };
    expect(await rig.createLink({ targetUrl: 'https://bad.example/' })).toMatchObject(refused);
    expect(await rig.createLink({ targetUrl: 'https://a.b.bad.example/' })).toMatchObject(refused);
    const good = made(await rig.createLink({ targetUrl: 'https://notbad.example/' }));
    expect(await rig.updateLink({ id: good.id, expectedVersion: 1, targetUrl: 'https://bad.example/' })).toMatchObject(
      refused,
    );
    expect((await rig.visit(good.shortUrl)).headers.get('location')).toBe('https://notbad.example/');
  });
});

describe('while the risk service is away', () => {
  it('links are stored but not served, what is wrong in itself is refused, and the verdict follows', async () => {
    const before = made(await rig.createLink({ targetUrl: 'https://example.com/judged' }));
    await risk.kill();
    const waiting = made(await rig.createLink({ targetUrl: 'https://example.com/waiting' }));
    const bad = made(await rig.createLink({ targetUrl: 'https://bad.example/later' }));
    expect([waiting.status, bad.status]).toEqual(['PENDING_REVIEW', 'PENDING_REVIEW']);
    expect((await rig.visit(waiting.shortUrl)).status).toBe(404);
    expect((await rig.createLink({ targetUrl: 'http://127.1/' })).problems).toMatchObject([{ code: 'IP_LOOPBACK' }]);
    // Links that were allowed go on.
    expect((await rig.visit(before.shortUrl)).headers.get('location')).toBe('https://example.com/judged');

    risk = await startService('risk', rig.system.envOf('risk'));
    await eventually(10_000, async () => (await rig.visit(waiting.shortUrl)).status === 302);
    await eventually(10_000, async () => (await rig.visit(bad.shortUrl)).status === 403);
  });
});
