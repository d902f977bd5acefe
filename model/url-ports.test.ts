import { expect, it } from 'vitest';
import { parseTargetUrl } from './target-url.js';
import { BLOCKED_PORTS } from './url-ports.js';

const OURS = [2375, 4222, 6379, 9200, 10250, 27017];

it("the platform's own fetch refuses every port that we took from the Fetch standard, before it connects", async () => {
  // 0 joined the standard's list after this engine's copy of it; no server can listen there.
  const standard = [...BLOCKED_PORTS].filter((port) => port !== 0 && !OURS.includes(port));
  expect(standard).toHaveLength(82);
  for (const port of standard) {
    const error = await fetch(`http://127.0.0.1:${port}/`).catch((reason: Error) => reason);
    expect(error).toMatchObject({ cause: { message: 'bad port' } });
  }
});

it('a target on a blocked port is refused in any spelling of the port, for both schemes', () => {
  for (const port of BLOCKED_PORTS) {
    expect(parseTargetUrl(`http://example.com:${port}/`)).toMatchObject({ reason: 'port_blocked' });
    expect(parseTargetUrl(`https://example.com:000${port}/`)).toMatchObject({ reason: 'port_blocked' });
  }
});

it('other ports are open to targets', () => {
  for (const port of [80, 443, 8080, 8443, 3000, 65535]) {
    expect(parseTargetUrl(`https://example.com:${port}/`)).toMatchObject({ ok: true });
  }
});
