import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressClass, classifyAddress, parseAddress } from './ip-address.js';
import { parseTargetUrl } from './target-url.js';

function classOf(text: string): AddressClass | undefined {
  const bytes = parseAddress(text);
  return bytes && classifyAddress(bytes);
}

/** First address, last address, class; the neighbours outside are named where they are public. */
const RANGES: [first: string, last: string, reason: AddressClass, before?: string, after?: string][] = [
  ['0.0.0.0', '0.255.255.255', 'ip_unspecified', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', 'ip_private', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', 'ip_cgnat', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', 'ip_loopback', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', 'ip_link_local', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', 'ip_private', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', 'ip_reserved', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', 'ip_reserved', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', 'ip_reserved', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', 'ip_reserved', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', 'ip_reserved', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', 'ip_private', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', 'ip_reserved', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', 'ip_reserved', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', 'ip_reserved', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', 'ip_reserved', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', 'ip_multicast', '223.255.255.255'],
  ['240.0.0.0', '255.255.255.255', 'ip_reserved'],
  ['::', '::', 'ip_unspecified'],
  ['::1', '::1', 'ip_loopback'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'ip_reserved'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'ip_reserved'],
  ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff', 'ip_reserved'],
  ['200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', undefined, '2000::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', '2001:db7:ffff::', '2001:db9::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', '2620:4f:7fff::', '2620:4f:8001::'],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', '3ffd:ffff::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', undefined, '3fff:1000::'],
  ['4000::', '4000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved', '3fff:ffff::'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_private'],
  ['fe00::', 'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_reserved'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_link_local'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_private'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ip_multicast'],
];

describe('special-purpose ranges', () => {
  it.each(RANGES)('%s to %s is %s, from its first to its last address', (first, last, reason, before, after) => {
    expect([classOf(first), classOf(last)]).toEqual([reason, reason]);
    for (const outside of [before, after]) if (outside) expect(classOf(outside)).toBe('public');
  });

  it.each([
    ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '168.63.129.16', '192.0.0.192', '100.100.100.200'],
    ...['169.254.42.42', '169.254.0.23', '100.96.0.96', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
    ...['fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fe80::a9fe:a9fe', '::ffff:169.254.169.254', '2002:a9fe:a9fe::'],
  ])('the cloud metadata address %s keeps its own reason inside any block', (address) => {
    expect(classOf(address)).toBe('ip_metadata');
  });
});

/** Every form that carries an IPv4 address, with the two halves of that address in hexadecimal. */
const CARRIERS: [name: string, write: (high: string, low: string) => string][] = [
  ['IPv4-mapped', (high, low) => `::ffff:${high}:${low}`],
  ['IPv4-compatible', (high, low) => `::${high}:${low}`],
  ['IPv4-translated', (high, low) => `::ffff:0:${high}:${low}`],
  ['NAT64', (high, low) => `64:ff9b::${high}:${low}`],
  ['6to4', (high, low) => `2002:${high}:${low}::1`],
  ['ISATAP', (high, low) => `2001:470::5efe:${high}:${low}`],
  ['ISATAP with the universal bit', (high, low) => `2001:470::200:5efe:${high}:${low}`],
  ['ISATAP inside 6to4', (high, low) => `2002:808:808::5efe:${high}:${low}`],
];

const ipv4 = fc
  .tuple(
    fc.oneof(fc.nat(255), fc.constantFrom(10, 100, 127, 169, 172, 192, 198, 224)),
    fc.nat(255),
    fc.nat(255),
    fc.nat(255),
  )
  .filter((bytes) => bytes.slice(0, 3).some((byte) => byte > 0));

describe('embedded IPv4', () => {
  it.each(CARRIERS)('%s has the class of the address inside', (_, write) => {
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const address = write(((a << 8) | b).toString(16), ((c << 8) | d).toString(16));
        expect(classOf(address)).toBe(classOf(`${a}.${b}.${c}.${d}`));
      }),
    );
  });

  it('Teredo is reserved whatever it carries, link-local ISATAP stays link-local', () => {
    expect(classOf('2001:0:4136:e378:8000:63bf:f7f7:f7f7')).toBe('ip_reserved');
    expect(classOf('fe80::5efe:8.8.8.8')).toBe('ip_link_local');
  });

  it('an array that is no address is never public', () => {
    expect(classifyAddress(new Uint8Array(5))).toBe('ip_reserved');
  });
});

describe('parseAddress', () => {
  it('reads what the URL parser and resolvers write', () => {
    expect(parseAddress('8.8.4.4')).toEqual(Uint8Array.of(8, 8, 4, 4));
    expect(parseAddress('[::ffff:1.2.3.4]')).toEqual(parseAddress('0:0:0:0:0:FFFF:0102:0304'));
    expect(parseAddress('1:2:3:4:5:6:7::')).toEqual(parseAddress('1:2:3:4:5:6:7:0'));
  });

  it.each([
    ...[
      '',
      ':',
      '1.2.3',
      '1.2.3.4.5',
      '01.2.3.4',
      '1.2.3.256',
      '0x7f.1',
      '1.2.3.4.',
      ' 1.2.3.4',
      '::1%eth0',
      ':::',
      '1::2::3',
    ],
    ...[
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7::8',
      '12345::',
      '::1.2.3',
      '1.2.3.4::',
      '::1.2.3.4:5',
      '[::1',
    ],
  ])('refuses %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it('reads any IPv6 literal into the bytes that its groups spell', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 }), (groups) => {
        const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
        const serialised = new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]/`).hostname;
        expect(parseAddress(serialised)).toEqual(bytes);
      }),
    );
  });
});

describe('notation', () => {
  const radix = fc.constantFrom<(value: number) => string>(
    (value) => value.toString(),
    (value) => `0${value.toString(8)}`,
    (value) => `000${value.toString(8)}`,
    (value) => `0x${value.toString(16)}`,
    (value) => `0X00${value.toString(16).toUpperCase()}`,
  );
  const disguise = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `${text}.`,
    (text) => text.replaceAll('.', '\u3002'),
    (text) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    (text) => text.replace(/\d/g, (digit) => `%3${digit}`),
    (text) => `${text}%2E`,
    (text) => `@${text}:080`,
  );

  it('never decides what an IPv4 address is: another notation has its class, or is obfuscated if public', () => {
    fc.assert(
      fc.property(
        ipv4,
        fc.integer({ min: 1, max: 4 }),
        fc.array(radix, { minLength: 4, maxLength: 4 }),
        disguise,
        (bytes, parts, write, hide) => {
          const plain = bytes.join('.');
          const last = bytes.slice(parts - 1).reduce((value, byte) => value * 256 + byte, 0);
          const text = [...bytes.slice(0, parts - 1), last].map((value, i) => write[i]!(value)).join('.');
          const expected = classOf(plain) === 'public' ? 'ip_obfuscated' : classOf(plain);
          const host = hide(text);
          const result = parseTargetUrl(`http://${host}/`);
          if (text === plain && (host === plain || host.startsWith('@'))) {
            expect(result.ok ? 'ip_obfuscated' : result.reason).toBe(expected);
          } else {
            expect(result).toMatchObject({ ok: false, reason: expected });
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
