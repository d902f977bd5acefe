import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type LinkPayload, made, type Rig, startRig } from './rig.js';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

async function total(): Promise<number> {
  const { data } = await rig.graphql<{ links: { totalCount: number } }>('{ links(first: 1) { totalCount } }');
  return data!.links.totalCount;
}

function codesOf({ problems }: LinkPayload): [string, string[] | null][] {
  return problems.map(({ code, path }) => [code, path]);
}

describe('creating', () => {
  it('makes one link of 100 parallel requests with one idempotency key, and answers all the same', async () => {
    const before = await total();
    const input = { targetUrl: 'https://example.com/once', idempotencyKey: 'once', tags: ['a'] };
    const answers = await Promise.all(Array.from({ length: 100 }, () => rig.createLink(input)));
    expect(new Set(answers.map(({ link }) => JSON.stringify(link))).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await total()).toBe(before + 1);
  });

  it('refuses the same key with another body, whatever differs', async () => {
    made(await rig.createLink({ targetUrl: 'https://example.com/a', idempotencyKey: 'twice' }));
    const before = await total();
    for (const other of [{ targetUrl: 'https://example.com/b' }, { targetUrl: 'https://example.com/a', tags: ['x'] }]) {
      const answer = await rig.createLink({ ...other, idempotencyKey: 'twice' });
      expect(codesOf(answer)).toEqual([['IDEMPOTENCY_MISMATCH', ['input', 'idempotencyKey']]]);
    }
    expect(await total()).toBe(before);
  });

  it('draws 200 different codes for 200 parallel requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => rig.createLink({ targetUrl: `https://example.com/${i}`, tags: ['new'] })),
    );
    const codes = answers.map((answer) => made(answer).shortCode);
    expect(new Set(codes).size).toBe(200);
    expect(codes.every((code) => /^[0-9A-Za-z]{8}$/.test(code))).toBe(true);
  });

  it('names every fault of a request at once and stores nothing', async () => {
    const before = await total();
    const answer = await rig.createLink({
      targetUrl: 'javascript:alert(1)',
      shortCode: 'a?b/c',
      redirectType: 303,
      expiresAt: '2027-02-30T00:00:00Z',
      tags: ['fine', ''],
      metadata: { '': 1 },
    });
    expect(answer.link).toBeNull();
    expect(codesOf(answer)).toEqual(
      expect.arrayContaining([
        ['SCHEME_NOT_ALLOWED', ['input', 'targetUrl']],
        ['CODE_INVALID', ['input', 'shortCode']],
        ['REDIRECT_TYPE_INVALID', ['input', 'redirectType']],
        ['DATE_INVALID', ['input', 'expiresAt']],
        ['INVALID_ARGUMENT', ['input', 'tags', '1']],
        ['INVALID_ARGUMENT', ['input', 'metadata']],
      ]),
    );
    expect(await total()).toBe(before);
  });

  it('takes a custom code once, in its exact case', async () => {
    const first = made(await rig.createLink({ targetUrl: 'https://example.com/1', shortCode: 'Summer-26' }));
    const again = await rig.createLink({ targetUrl: 'https://example.com/2', shortCode: 'Summer-26' });
    expect(codesOf(again)).toEqual([['CODE_TAKEN', ['input', 'shortCode']]]);
    made(await rig.createLink({ targetUrl: 'https://example.com/3', shortCode: 'summer-26' }));
    expect((await rig.visit(first.shortUrl)).headers.get('location')).toBe('https://example.com/1');
  });

  it('keeps half a surrogate pair out, which no later part could still see', async () => {
    const answer = await rig.createLink({ targetUrl: 'https://example.com/', title: 'broken \ud800 title' });
    expect(codesOf(answer)).toEqual([['INVALID_UNICODE', ['input', 'title']]]);
  });

  it('keeps dates to the instant, in whatever zone they were written', async () => {
    const input = { targetUrl: 'https://example.com/', expiresAt: '2030-01-01T08:00:00.123+08:00' };
    const { link } = await rig.createLink(input);
    const { data } = await rig.graphql<{ link: object }>('query ($id: ID!) { link(id: $id) { expiresAt status } }', {
      id: link!.id,
    });
    expect(data!.link).toEqual({ expiresAt: '2030-01-01T00:00:00.123Z', status: 'ACTIVE' });
  });

  it('refuses an expiry that has passed or comes before the start', async () => {
    const targetUrl = 'https://example.com/';
    expect(codesOf(await rig.createLink({ targetUrl, expiresAt: '2020-01-01T00:00:00Z' }))).toEqual([
      ['DATE_IN_PAST', ['input', 'expiresAt']],
    ]);
    const swapped = { effectiveAt: '2031-01-01T00:00:00Z', expiresAt: '2030-01-01T00:00:00Z' };
    expect(codesOf(await rig.createLink({ targetUrl, ...swapped }))).toEqual([['DATE_ORDER', ['input', 'expiresAt']]]);
  });
});

describe('changing', () => {
  it('lets one of 64 clients win that name the same version', async () => {
    const { id } = made(await rig.createLink({ targetUrl: 'https://example.com/0' }));
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        rig.updateLink({ id, expectedVersion: 1, targetUrl: `https://example.com/${i + 1}` }),
      ),
    );
    const winners = answers.filter(({ problems }) => problems.length === 0);
    expect(winners).toHaveLength(1);
    for (const { problems } of answers.filter((answer) => answer !== winners[0])) {
      expect(problems).toMatchObject([
        { code: 'VERSION_MISMATCH', path: ['input', 'expectedVersion'], details: { currentVersion: 2 } },
      ]);
    }
    const { data } = await rig.graphql<{ link: object }>('query ($id: ID!) { link(id: $id) { version targetUrl } }', {
      id,
    });
    expect(data!.link).toEqual({ version: 2, targetUrl: winners[0]!.link!.targetUrl });
  });

  it('leaves what is absent, clears what is null, and makes no version of nothing', async () => {
    const input = { targetUrl: 'https://example.com/', title: 'kept', note: 'gone', tags: ['a'], externalId: 'patch' };
    const { id } = made(await rig.createLink(input));
    await rig.updateLink({ id, expectedVersion: 1, note: null, tags: ['b', 'a'] });
    const same = await rig.updateLink({ id, expectedVersion: 2, title: 'kept', targetUrl: 'HTTPS://EXAMPLE.COM' });
    expect(made(same).version).toBe(2);
    const { data } = await rig.graphql('query ($id: ID!) { link(id: $id) { title note tags externalId version } }', {
      id,
    });
    expect(data).toEqual({ link: { title: 'kept', note: null, tags: ['b', 'a'], externalId: 'patch', version: 2 } });
  });

  it('lists the versions that a visitor could tell apart, newest first, with who and why', async () => {
    const { id } = made(await rig.createLink({ targetUrl: 'https://example.com/v1' }));
    made(await rig.updateLink({ id, expectedVersion: 1, title: 'not visible' }));
    made(await rig.updateLink({ id, expectedVersion: 2, targetUrl: 'https://example.com/v3', reason: 'moved' }));
    const { data } = await rig.graphql<{ link: { versions: { nodes: object[] } } }>(
      'query ($id: ID!) { link(id: $id) { versions { nodes { version targetUrl previousTargetUrl reason source actor { kind name } } } } }',
      { id },
    );
    const by = { source: 'API', actor: { kind: 'API_KEY', name: 'bootstrap' } };
    const [v1, v3] = ['https://example.com/v1', 'https://example.com/v3'];
    expect(data!.link.versions.nodes).toEqual([
      { version: 3, targetUrl: v3, previousTargetUrl: v1, reason: 'moved', ...by },
      { version: 1, targetUrl: v1, previousTargetUrl: null, reason: null, ...by },
    ]);
  });

  it('refuses a target that is a short URL of ours, on one machine too', async () => {
    const link = made(await rig.createLink({ targetUrl: 'https://example.com/' }));
    expect(codesOf(await rig.createLink({ targetUrl: link.shortUrl }))).toEqual([
      ['OWN_DOMAIN', ['input', 'targetUrl']],
    ]);
    const elsewhere = await rig.createLink({ targetUrl: 'http://localhost:3/' });
    expect(codesOf(elsewhere)).toEqual([['HOST_NOT_PUBLIC', ['input', 'targetUrl']]]);
  });

  it('names every fault of a change at once, refuses an end that has passed, and clears what is empty for nothing', async () => {
    const { id } = made(await rig.createLink({ targetUrl: 'https://example.com/' }));
    const bad = { targetUrl: 'javascript:1', tags: [''], expiresAt: '2020-01-01T00:00:00Z', reason: 'x'.repeat(501) };
    const answer = await rig.updateLink({ id, expectedVersion: 1, ...bad });
    expect(codesOf(answer)).toEqual(
      expect.arrayContaining([
        ['SCHEME_NOT_ALLOWED', ['input', 'targetUrl']],
        ['INVALID_ARGUMENT', ['input', 'tags', '0']],
        ['DATE_IN_PAST', ['input', 'expiresAt']],
        ['TOO_LONG', ['input', 'reason']],
      ]),
    );
    const same = await rig.updateLink({
      id,
      expectedVersion: 1,
      title: null,
      note: null,
      externalId: null,
      effectiveAt: null,
    });
    expect(made(same).version).toBe(1);
  });

  it('under an idempotency key happens once, also when it changed nothing', async () => {
    const { id } = made(await rig.createLink({ targetUrl: 'https://example.com/', title: 'a' }));
    const noop = { id, expectedVersion: 1, title: 'a', idempotencyKey: 'noop-1' };
    made(await rig.updateLink(noop));
    const change = { id, expectedVersion: 1, title: 'b', idempotencyKey: 'change-1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.updateLink(change)));
    expect(answers.map((each) => made(each).version)).toEqual(answers.map(() => 2));
    expect(await rig.updateLink(noop)).toMatchObject({ replayed: true, problems: [] });
    expect(codesOf(await rig.updateLink({ ...noop, title: 'c' }))).toEqual([
      ['IDEMPOTENCY_MISMATCH', ['input', 'idempotencyKey']],
    ]);
  });

  it('never changes the target of a permanent redirect', async () => {
    const { id, shortUrl } = made(
      await rig.createLink({ targetUrl: 'https://example.com/for-ever', redirectType: 301 }),
    );
    const answer = await rig.updateLink({ id, expectedVersion: 1, targetUrl: 'https://example.com/other' });
    expect(codesOf(answer)).toEqual([['LINK_IMMUTABLE', ['input', 'targetUrl']]]);
    const response = await rig.visit(shortUrl);
    expect([response.status, response.headers.get('cache-control')]).toEqual([301, 'private, max-age=90']);
  });

  it('answers NOT_FOUND for what does not exist, with a version or without', async () => {
    const id = 'lnk_0000000000000';
    expect(codesOf(await rig.updateLink({ id, expectedVersion: 1, title: 'x' }))).toEqual([
      ['NOT_FOUND', ['input', 'id']],
    ]);
    const { data, errors } = await rig.graphql(
      '{ link(id: "nonsense") { id } linkByExternalId(externalId: "x") { id } }',
    );
    expect([data, errors]).toEqual([{ link: null, linkByExternalId: null }, undefined]);
  });
});

describe('the verdict of the risk check', () => {
  it('BLOCK: nothing is stored', async () => {
    const answer = await rig.createLink({ targetUrl: 'https://www.testsafebrowsing.appspot.com/s/phishing.html' });
    expect(codesOf(answer)).toEqual([['URL_BLOCKED', ['input', 'targetUrl']]]);
  });
});

describe('reading', () => {
  it('walks all links page by page while others are made, each once', async () => {
    const before = await total();
    const seen: string[] = [];
    let after: string | null = null;
    let hasNextPage = true;
    while (hasNextPage) {
      made(await rig.createLink({ targetUrl: 'https://example.com/meanwhile' }));
      const query =
        'query ($after: String) { links(first: 50, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }';
      type Page = { links: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
      const { data }: Answer<Page> = await rig.graphql<Page>(query, { after });
      seen.push(...data!.links.nodes.map(({ id }) => id));
      ({ hasNextPage, endCursor: after } = data!.links.pageInfo);
    }
    expect(new Set(seen).size).toBe(seen.length);
    // All that were there at the start, and the one made before the first page was read.
    expect(seen.length).toBe(before + 1);
  });

  it('cuts a page of very large links where a message would be too large, and goes on after it', async () => {
    const large = (letter: string) => letter.repeat(1_000);
    const metadata = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`key${i}`, large('中')]));
    const tags = Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(100, '文'));
    const input = { targetUrl: `https://example.com/${'a'.repeat(7_900)}`, note: '字'.repeat(2_000), tags, metadata };
    const ids = new Set<string>();
    for (let i = 0; i < 40; i++) ids.add(made(await rig.createLink(input)).id);
    type Page = {
      links: { nodes: { id: string; note: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    };
    const query =
      'query ($after: String) { links(first: 40, after: $after) { nodes { id note metadata tags } pageInfo { hasNextPage endCursor } } }';
    const first = await rig.graphql<Page>(query);
    const second = await rig.graphql<Page>(query, { after: first.data!.links.pageInfo.endCursor });
    const third = await rig.graphql<Page>(query, { after: second.data!.links.pageInfo.endCursor });
    const seen = [first, second, third].flatMap(({ data }) => data!.links.nodes.map(({ id }) => id));
    expect(first.data!.links.pageInfo.hasNextPage).toBe(true);
    expect([...ids].every((id) => seen.includes(id))).toBe(true);
  });

  it('finds a link by its short URL, whatever scheme, query or trailing slash it was written with', async () => {
    const { id, shortUrl } = made(await rig.createLink({ targetUrl: 'https://example.com/', externalId: 'mine' }));
    const { data } = await rig.graphql(
      'query ($a: URL!, $b: URL!, $c: URL!) { a: linkByShortUrl(shortUrl: $a) { id } b: linkByShortUrl(shortUrl: $b) { id } c: linkByShortUrl(shortUrl: $c) { id } d: linkByExternalId(externalId: "mine") { id } }',
      { a: shortUrl, b: `${shortUrl}/?x=1`, c: 'https://elsewhere.example/abcd' },
    );
    expect(data).toEqual({ a: { id }, b: { id }, c: null, d: { id } });
  });
});
