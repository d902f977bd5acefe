import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_TENANT_ID } from '../../model/first-tenant.js';
import { createLog } from '../../runtime/log.js';
import { Mongo } from '../../runtime/mongo.js';
import { Outbox } from '../../runtime/outbox.js';
import { Domains } from '../../services/domain/domains.js';
import { DomainStore } from '../../services/domain/store.js';
import { eventually, type Rig, startRig } from './rig.js';

interface UrlCase {
  id: string;
  group: string;
  input: string;
  expect: 'accept' | 'reject';
  canonical?: string;
  canonical_wpt?: string;
  reason?: string;
}

const file = new URL('../cases/url-cases.json', import.meta.url);
const cases = (JSON.parse(readFileSync(file, 'utf8')) as UrlCase[]).filter(({ group }) => group !== 'fetch');
const accepted = cases.filter((each) => each.expect === 'accept');
const rejected = cases.filter((each) => each.expect === 'reject');
const OWN_HOSTS = ['s.example', 'links.brand.example', 'xn--bcher-kva.example', 't2.example'];

let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
  await registerOwnHosts();
});
afterAll(() => rig?.stop());

/** The hosts that the cases call our own, through the domain service's store. */
async function registerOwnHosts(): Promise<void> {
  const log = createLog('test', 'silent');
  const options = { timeoutMs: 6_000, commitWaitMs: 5_000, appName: 'test', database: 'waypost' };
  const mongo = new Mongo({ url: rig.system.engines.mongodbUrl, ...options });
  const store = new DomainStore(mongo, new Outbox(mongo, { collection: 'outbox_domain', effects: [], log }));
  const domains = new Domains(store);
  const group = await store.defaultGroup(FIRST_TENANT_ID);
  for (const hostname of OWN_HOSTS) {
    await domains.addDomain(group!, { hostname, origin: `https://${hostname}`, kind: 'CUSTOM' });
  }
  await mongo.stop();
}

async function count(): Promise<number> {
  const { data } = await rig.graphql<{ links: { totalCount: number } }>('{ links(first: 1) { totalCount } }');
  return data!.links.totalCount;
}

describe('every URL case, from the API to the visitor', () => {
  it.each(accepted)('$id is accepted, and the visitor gets exactly the canonical form', async (each) => {
    const { link, problems } = await rig.createLink({ targetUrl: each.input });
    expect(problems).toEqual([]);
    const canonical = [each.canonical, each.canonical_wpt].filter((form) => form !== undefined);
    expect(canonical).toContain(link!.targetUrl);
    const response = await rig.visit(link!.shortUrl);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(link!.targetUrl);
    expect(await response.text()).toBe('');
  });

  it.each(rejected)('$id is refused as $reason, with the path of the field', async (each) => {
    const { link, problems } = await rig.createLink({ targetUrl: each.input });
    expect(link).toBeNull();
    expect(problems).toEqual([
      expect.objectContaining({ code: each.reason!.toUpperCase(), path: ['input', 'targetUrl'] }),
    ]);
    expect(problems[0]!.message.length).toBeGreaterThan(10);
  });

  it('stores nothing of what was refused', async () => {
    // Counted from the database that the service reads, after all that is under way has ended.
    await eventually(2_000, async () => (await count()) === accepted.length);
    expect(await count()).toBe(accepted.length);
  });
});
