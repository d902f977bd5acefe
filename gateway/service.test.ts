import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, type Rig, startRig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ env: { WAYPOST_MODE: 'development', WAYPOST_TRUSTED_PROXIES: '127.0.0.0/8' } });
});
afterAll(() => rig.stop());

describe('in development', () => {
  it('the schema can be read, with the document that GraphiQL sends', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const answer = await rig.send(getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }), {
      as: null,
    });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data.__schema.types.length).toBeGreaterThan(20);
  });

  it('GraphiQL comes whole from this server, under a policy that lets nothing else in', async () => {
    const origin = rig.gateway.url.replace('/graphql', '');
    const page = await fetch(`${origin}/graphiql`).then(answerOf);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.text).not.toMatch(/https?:\/\//);
    const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
    expect(parts).toHaveLength(5);
    for (const part of parts) {
      const answer = await fetch(origin + part);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      await answer.arrayBuffer();
    }
  });

  it('a browser at the address of the API is led to the page', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const answer = await fetch(rig.gateway.url, { headers, redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/graphiql');
  });
});

it('the client address comes from a trusted proxy', async () => {
  await rig.send('{tenant {id}}', { headers: { 'x-forwarded-for': 'evil, 1.1.1.1, 127.0.0.9' } });
  expect(rig.callsOf('getTenant').at(-1)?.caller.clientIp).toBe('1.1.1.1');
});

it('requests are counted by type and outcome', async () => {
  await rig.send('{__typename}');
  await rig.send('{viewer {scopes}}', { as: null });
  await rig.send('{');
  await rig.send('mutation {createLink(input: {targetUrl: "x"}) {replayed}}');
  await rig.post('{');
  const count = async (type: string, outcome: string) => {
    const text = await fetch(rig.gateway.metricsUrl).then((response) => response.text());
    const line = `graphql_requests_total{operation_type="${type}",outcome="${outcome}",service="gateway"} `;
    return Number(text.split(line)[1]?.split('\n')[0]);
  };
  // An answer is counted when it has been sent, which may be after the caller has it.
  await expect.poll(() => count('none', 'refused')).toBe(2);
  expect(await count('query', 'ok')).toBeGreaterThanOrEqual(1);
  expect(await count('query', 'denied')).toBe(1);
  // The test's service has no handler: a fault.
  expect(await count('mutation', 'failed')).toBe(1);
  const text = await fetch(rig.gateway.metricsUrl).then((response) => response.text());
  expect(text).toMatch(/graphql_request_seconds_count{.*operation_type="query".*} [1-9]/);
});

it('is ready while all its services serve, and names the one that does not', async () => {
  const own = await startRig();
  const readyz = own.gateway.metricsUrl.replace('/metrics', '/readyz');
  expect(await fetch(readyz).then(answerOf)).toMatchObject({
    status: 200,
    body: { ready: true, dependencies: { tenant: true, link: true, domain: true } },
  });
  await own.stopService('domain');
  expect(await fetch(readyz).then(answerOf)).toMatchObject({
    status: 503,
    body: { ready: false, dependencies: { tenant: true, link: true, domain: false } },
  });
  await own.stop();
});

it('a start on a port that is taken fails and leaves nothing behind', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  await expect(startRig({ env: { WAYPOST_GATEWAY_ADDRESS: `127.0.0.1:${port}` } })).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => taken.close(resolve));
});

it('a stop lets the request under way end and takes no other', async () => {
  let reached: () => void = () => undefined;
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const own = await startRig({
    link: {
      countLinks: async () => {
        reached();
        await held;
        return { count: 7 };
      },
      listLinks: async () => ({ edges: [], hasMore: false }),
    },
  });
  const underWay = own.send('{links {totalCount}}');
  await arrived;
  const stopped = own.stop();
  answer();
  expect((await underWay).body).toEqual({ data: { links: { totalCount: 7 } } });
  await stopped;
  await expect(fetch(own.gateway.url)).rejects.toThrow();
});
