import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type LinkNode, made, type Rig, startRig } from './rig.js';

/** F-1, F-2, F-3: what stands while a part is away, and that it comes back by itself. */
let rig: Rig;
let link: LinkNode;

beforeAll(async () => {
  rig = await startRig({ env: { WAYPOST_LOG_LEVEL: 'error' } });
  link = made(await rig.createLink({ targetUrl: 'https://example.com/cached' }));
  await rig.visit(link.shortUrl);
});
afterAll(() => rig?.stop());

afterEach(async () => {
  await eventually(
    20_000,
    async () => (await rig.createLink({ targetUrl: 'https://example.com/' }).catch(() => null)) !== null,
  );
});

const VISITS = 200;

/** Visits one after the other for a while, and counts the statuses. */
async function visits(shortUrl: string): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < VISITS; i++) {
    const { status } = await rig.visit(shortUrl);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('while Redis is', () => {
  it('killed, cached links go on, others are read from MongoDB, and links can be made', async () => {
    const { redis } = rig.system.engines;
    await redis!.kill('SIGKILL');
    expect(await visits(link.shortUrl)).toEqual({ 302: VISITS });
    const fresh = made(await rig.createLink({ targetUrl: 'https://example.com/without-redis' }));
    expect((await rig.visit(fresh.shortUrl)).status).toBe(302);
    await redis!.restart();
  });

  it('frozen, no visitor waits for it', async () => {
    const { redis } = rig.system.engines;
    const fresh = made(await rig.createLink({ targetUrl: 'https://example.com/frozen-redis' }));
    redis!.kill('SIGSTOP');
    try {
      expect(await visits(link.shortUrl)).toEqual({ 302: VISITS });
      expect(await visits(fresh.shortUrl)).toEqual({ 302: VISITS });
    } finally {
      redis!.kill('SIGCONT');
    }
  });
});

describe('while NATS is', () => {
  it('killed, redirects and changes go on, and a change is seen within the bound', async () => {
    const { nats } = rig.system.engines;
    await nats!.kill('SIGKILL');
    expect(await visits(link.shortUrl)).toEqual({ 302: VISITS });
    const targetUrl = 'https://example.com/without-nats';
    link = made(await rig.updateLink({ id: link.id, expectedVersion: link.version, targetUrl }));
    await eventually(5_000, async () => (await rig.visit(link.shortUrl)).headers.get('location') === targetUrl);
    await nats!.restart();
  });

  it('frozen, the same', async () => {
    const { nats } = rig.system.engines;
    nats!.kill('SIGSTOP');
    try {
      expect(await visits(link.shortUrl)).toEqual({ 302: VISITS });
      const targetUrl = 'https://example.com/frozen-nats';
      link = made(await rig.updateLink({ id: link.id, expectedVersion: link.version, targetUrl }));
      await eventually(5_000, async () => (await rig.visit(link.shortUrl)).headers.get('location') === targetUrl);
    } finally {
      nats!.kill('SIGCONT');
    }
  });
});

describe('while MongoDB is killed', () => {
  it('cached links go on, creates fail with UNAVAILABLE in time, and afterwards all that was acknowledged is there', async () => {
    const { mongod } = rig.system.engines;
    const acknowledged = made(await rig.createLink({ targetUrl: 'https://example.com/acknowledged' }));
    await mongod!.kill('SIGKILL');
    expect(await visits(link.shortUrl)).toEqual({ 302: VISITS });
    const start = performance.now();
    const { data, errors } = await rig.graphql(
      'mutation { createLink(input: { targetUrl: "https://example.com/" }) { link { id } } }',
    );
    expect(data?.createLink ?? null).toBeNull();
    expect(['UNAVAILABLE', 'DEADLINE_EXCEEDED']).toContain(errors?.[0]?.extensions?.code);
    expect(performance.now() - start).toBeLessThan(8_000);
    // Nothing at all is known of this code: the one 5xx that the path has.
    const unknown = await rig.visit(link.shortUrl.replace(link.shortCode, 'unknown-code'));
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await mongod!.restart();
    await eventually(15_000, async () => (await rig.visit(acknowledged.shortUrl)).status === 302);
  });
});
