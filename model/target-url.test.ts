import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import cases from '../test/cases/url-cases.json' with { type: 'json' };
import { hostForMatching, MAX_TARGET_BYTES, parseTargetUrl } from './target-url.js';

interface UrlCase {
  id: string;
  group: string;
  input: string;
  expect: string;
  canonical?: string;
  canonical_wpt?: string;
  reason?: string;
  flags?: string[];
}

/** Reasons that need the deployment's own hosts or its list of shorteners: the risk service's. */
const RISK_REASONS = ['own_domain', 'nested_shortener'];
const judged = (cases as UrlCase[]).filter(({ group }) => group !== 'fetch');
const refused = judged.filter(({ expect, reason }) => expect === 'reject' && !RISK_REASONS.includes(reason ?? ''));
const accepted = judged.filter((entry) => !refused.includes(entry));

function reasonOf(input: string, maxBytes?: number): string | undefined {
  const result = parseTargetUrl(input, { maxBytes });
  return result.ok ? undefined : result.reason;
}

function hostOf(input: string): string | undefined {
  const result = parseTargetUrl(input);
  return result.ok ? result.url.host : undefined;
}

describe('the URL safety table', () => {
  it.each(refused)('$id is refused with its reason', ({ input, reason }) => {
    expect(parseTargetUrl(input)).toEqual({ ok: false, reason, message: expect.stringMatching(/^[A-Z].+\.$/) });
  });

  it.each(accepted)('$id is accepted in its canonical form and with its flags', (entry) => {
    const result = parseTargetUrl(entry.input);
    if (!result.ok) throw new Error(`refused: ${result.reason}`);
    expect(result.url.flags).toEqual(expect.arrayContaining(entry.flags ?? []));
    if (entry.canonical) expect([entry.canonical, entry.canonical_wpt]).toContain(result.url.canonical);
  });
});

describe('the order of checks', () => {
  it.each([
    ['\u0001javascript:alert(1)', 'control_char'],
    ['java\u0000script:alert(1)', 'control_char'],
    ['\t', 'control_char'],
    ['\n https://example.com/', 'control_char'],
    ['https://example.com/\x7f', 'control_char'],
    ['\ud800', 'invalid_unicode'],
    ['https://\udc00.example/', 'invalid_unicode'],
    ['\u00a0https://example.com/', 'scheme_missing'],
    ['//example.com/a', 'scheme_missing'],
    ['://example.com', 'scheme_missing'],
    ['1http://example.com/', 'scheme_missing'],
    ['https\uff1a//example.com/', 'scheme_missing'],
    ['intent://x#Intent;scheme=https;end', 'scheme_not_allowed'],
    ['jar:https://example.com/a!/', 'scheme_not_allowed'],
    ['https://user@127.0.0.1:22/', 'userinfo_not_allowed'],
    ['http://127.0.0.1:22/', 'ip_loopback'],
    ['http://localhost:6379/', 'host_not_public'],
    ['https://xn--/', 'invalid_url'],
    ['https://xn--abc-.com/', 'invalid_url'],
    ['https://xn--pokxncvks.com/', 'invalid_url'],
    ['https://xn--xn---3ra.com/', 'invalid_url'],
  ])('%j is refused as %s', (input, reason) => {
    expect(reasonOf(input)).toBe(reason);
  });
});

describe('host names', () => {
  it.each(['https://a..example/', 'https://.example/', 'https://a.example../', `https://${'a.'.repeat(126)}bc.com/`])(
    'a host that the DNS cannot hold is refused: %s',
    (input) => {
      expect(reasonOf(input)).toBe('host_invalid');
    },
  );

  it.each([...'!"$&\'()*+,;=`{}~'])('a host with %s is refused, for no public host has it', (char) => {
    expect(reasonOf(`https://a${char}b.example/`)).toBe('host_invalid');
  });

  it('a host of 253 octets is accepted, with and without the dot of the root', () => {
    const host = `${'a.'.repeat(124)}bc.info`.slice(-253);
    expect(host).toHaveLength(253);
    expect(hostOf(`https://${host}/`)).toBe(host);
    expect(hostOf(`https://${host}./`)).toBe(host);
  });

  it('every spelling of a host matches the same host', () => {
    const inputs = [
      'https://BÜCHER.example./',
      'http://xn--Bcher-KVA.example:80/',
      'https:\\\\b\u0075\u0308cher%2eexample',
    ];
    expect(inputs.map(hostOf)).toEqual(inputs.map(() => 'xn--bcher-kva.example'));
    expect(hostForMatching('S.Example.')).toBe('s.example');
  });

  it.each(['exam\u00adple', 'exam%C2%ADple', 'exam%e2%80%8bple', '\u2060example', 'example\ufe0f', 'exam\u034fple'])(
    'a character that the parser drops is refused in the host as typed: %j',
    (label) => {
      expect(reasonOf(`https://${label}.com/`)).toBe('idn_invisible');
      expect(reasonOf(`https://a@b@${label}.com:443/`)).toBe('userinfo_not_allowed');
      expect(reasonOf(`https:\\/@${label}.com:443?@x`)).toBe('idn_invisible');
    },
  );
});

describe('length', () => {
  const url = (bytes: number) => `https://example.com/${'a'.repeat(bytes - 20)}`;

  it('the canonical form may be exactly as long as the limit', () => {
    expect(reasonOf(url(MAX_TARGET_BYTES))).toBeUndefined();
    expect(reasonOf(url(MAX_TARGET_BYTES + 1))).toBe('too_long');
  });

  it('a tenant may lower the limit but not raise it', () => {
    expect(reasonOf(url(101), 100)).toBe('too_long');
    expect(reasonOf(url(MAX_TARGET_BYTES + 1), 1_000_000)).toBe('too_long');
  });

  it('what the parser removes does not count', () => {
    expect(reasonOf(`https://example.com/${'a/../'.repeat(5_000)}`)).toBeUndefined();
  });
});

describe('every input', () => {
  const codeUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
  const anyText = codeUnits.map((units) => String.fromCharCode(...units));
  const nearUrl = fc
    .tuple(
      fc.constantFrom(
        'https://',
        'http:',
        ' HTTPS:\\\\',
        'https://example.com/',
        'http:/x.example:8080?',
        'https://中é-',
      ),
      fc.array(
        fc.oneof(
          fc.constantFrom(...'aZ0.-_:@/\\?#%[]', '%2e', '%00', '%E2%80%8B', 'xn--', '127.1', '::1', 'example.com'),
          fc.string({ unit: 'grapheme', maxLength: 3 }),
        ),
        { maxLength: 12 },
      ),
    )
    .map(([scheme, parts]) => scheme + parts.join(''));
  const target = fc.oneof(anyText, nearUrl, fc.webUrl({ withQueryParameters: true, withFragments: true }));

  it('is judged without an exception, lone surrogates and all', () => {
    fc.assert(
      fc.property(target, (input) => typeof parseTargetUrl(input).ok === 'boolean'),
      { numRuns: 3_000 },
    );
  });

  it('is stored as printable ASCII, as the parser serialises it, and is its own canonical form', () => {
    fc.assert(
      fc.property(target, (input) => {
        const result = parseTargetUrl(input);
        if (!result.ok) return;
        expect(result.url.canonical).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        expect(result.url.canonical).toBe(new URL(input).href);
        expect(parseTargetUrl(result.url.canonical)).toEqual(result);
      }),
      { numRuns: 3_000 },
    );
  });
});
