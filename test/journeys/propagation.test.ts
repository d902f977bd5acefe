import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../dev/fault-proxy.js';
import { eventually, made, type Rig, startRig } from './rig.js';
import { type Service, startService } from './service-process.js';

/** K-8: what was acknowledged is true on every pod within 5 s; 250 ms is the aim. */
const BOUND_MS = 5_000;

let rig: Rig;
let nats: FaultProxy;
let redis: FaultProxy;
let link: Service;
let pod: Service;

/**
 * The link service and a second redirect process run as processes of their own. The link service reaches NATS and Redis
 * through proxies, so that it can be cut off from both and killed right after a commit.
 */
beforeAll(async () => {
  rig = await startRig({ without: ['link'] });
  const { engines, envOf } = rig.system;
  nats = await startFaultProxy(engines.nats!.port);
  redis = await startFaultProxy(engines.redis!.port);
  const env = envOf('link');
  link = await startService('link', {
    ...env,
    WAYPOST_NATS_URL: env.WAYPOST_NATS_URL!.replace(/:\d+$/, `:${nats.port}`),
    WAYPOST_REDIS_URL: env.WAYPOST_REDIS_URL!.replace(/:\d+$/, `:${redis.port}`),
  });
  pod = await startService('redirect', {
    ...envOf('redirect'),
    WAYPOST_REDIRECT_ADDRESS: '127.0.0.1:0',
    WAYPOST_REDIRECT_DATA_DIR: join(rig.dataDir, 'redirect-2'),
  });
});
afterAll(async () => {
  await pod?.stop();
  await link?.stop();
  await Promise.all([nats?.stop(), redis?.stop()]);
  await rig?.stop();
});

/** The Location that the second pod gives for a code; asked with the host that is registered. */
async function seenBySecondPod(shortCode: string): Promise<string | null> {
  const response = await rig.visit(`http://localhost:${pod.port}/${shortCode}`);
  return response.headers.get('location');
}

async function warm(target: string): Promise<{ id: string; shortCode: string; version: number }> {
  const created = made(await rig.createLink({ targetUrl: target }));
  expect(await seenBySecondPod(created.shortCode)).toBe(target);
  return created;
}

describe('a change reaches a second, warm redirect process', () => {
  it('by the stream: the pods hear the beat, polling only stands in for it', async () => {
    await eventually(BOUND_MS, async () =>
      (await metrics(pod.metricsUrl)).includes('dependency="beat",service="redirect"} 1'),
    );
    await eventually(BOUND_MS, async () =>
      (await metrics(rig.system.metrics.redirect!)).includes('dependency="beat",service="redirect"} 1'),
    );
  });

  it('within the bound, 30 times of 30', async () => {
    const { id, shortCode, version } = await warm('https://example.com/0');
    const delays: number[] = [];
    for (let i = 1; i <= 30; i++) {
      const targetUrl = `https://example.com/${i}`;
      made(await rig.updateLink({ id, expectedVersion: version + i - 1, targetUrl }));
      delays.push(await eventually(BOUND_MS, async () => (await seenBySecondPod(shortCode)) === targetUrl));
    }
    delays.sort((a, b) => a - b);
    console.log(`change seen after ${delays[15]!.toFixed(0)} ms (median), ${delays.at(-1)!.toFixed(0)} ms (worst)`);
    expect(delays.at(-1)).toBeLessThan(BOUND_MS);
  });

  it('when a link is disabled and enabled again', async () => {
    const { id, shortCode } = await warm('https://example.com/toggled');
    const set = (operation: string) =>
      rig.graphql(`mutation ($input: LinkActionInput!) { ${operation}(input: $input) { problems { code } } }`, {
        input: { id },
      });
    await set('disableLink');
    await eventually(BOUND_MS, async () => (await seenBySecondPod(shortCode)) === null);
    expect((await rig.visit(`http://localhost:${pod.port}/${shortCode}`)).status).toBe(404);
    await set('enableLink');
    await eventually(BOUND_MS, async () => (await seenBySecondPod(shortCode)) === 'https://example.com/toggled');
  });

  it('when a link is made under a code that the pod has just found unknown', async () => {
    const shortCode = 'not-yet-made';
    expect((await rig.visit(`http://localhost:${pod.port}/${shortCode}`)).status).toBe(404);
    made(await rig.createLink({ targetUrl: 'https://example.com/made', shortCode }));
    // Decisions 13: no 404 later than a second after the acknowledgement.
    await eventually(1_000, async () => (await seenBySecondPod(shortCode)) === 'https://example.com/made');
  });

  it('when the writer is killed right after its commit, before anybody was told', async () => {
    const { id, shortCode, version } = await warm('https://example.com/before-crash');
    // Swallowed, not refused: the writer believes that its messages are on their way.
    nats.setFault({ kind: 'drop' });
    redis.setFault({ kind: 'drop' });
    const targetUrl = 'https://example.com/after-crash';
    made(await rig.updateLink({ id, expectedVersion: version, targetUrl }));
    await link.kill();
    const delay = await eventually(BOUND_MS, async () => (await seenBySecondPod(shortCode)) === targetUrl);
    console.log(`change of a killed writer seen after ${delay.toFixed(0)} ms`);
  });

  it('and what the killed writer left is made good by the next one: its event, and the copy in Redis', async () => {
    nats.setFault({ kind: 'none' });
    redis.setFault({ kind: 'none' });
    link = await startService('link', rig.system.envOf('link'));
    const { data } = await rig.graphql<{ links: { nodes: { shortCode: string }[] } }>(
      '{ links { nodes { shortCode } } }',
    );
    const shortCode = data!.links.nodes[0]!.shortCode;
    await eventually(BOUND_MS, async () => (await cached(shortCode)).includes('https://example.com/after-crash'));
  });
});

async function metrics(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** What Redis holds for a code, asked as the redirect's user. */
async function cached(shortCode: string): Promise<string> {
  const { data } = await rig.graphql<{ domainGroup: { id: string } }>('{ domainGroup(name: "default") { id } }');
  const { username, password, port } = new URL(rig.system.envOf('redirect').WAYPOST_REDIS_URL!);
  const key = `sl:${data!.domainGroup.id}:${shortCode}`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(`AUTH ${username} ${password}\r\nGET ${key}\r\nQUIT\r\n`);
  });
}
