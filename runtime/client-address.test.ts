import { describe, expect, it } from 'vitest';
import { ClientAddress, isNetwork } from './client-address.js';

describe('the client address is the right-most hop that no trusted proxy is (bug report 59)', () => {
  const none: string[] = [];
  const one = ['10.0.0.1'];
  const two = ['10.0.0.0/8', '2001:db8::/32'];
  const cases: [name: string, proxies: string[], peer: string, forwardedFor: string[], client: string][] = [
    ['no proxies: the header is ignored', none, '10.0.0.1', ['1.1.1.1'], '10.0.0.1'],
    ['an untrusted peer: the header is ignored', one, '9.9.9.9', ['1.1.1.1'], '9.9.9.9'],
    ['a trusted peer without the header', one, '10.0.0.1', [], '10.0.0.1'],
    ['one hop', one, '10.0.0.1', ['1.1.1.1'], '1.1.1.1'],
    ['what the client wrote itself does not count', one, '10.0.0.1', ['8.8.8.8, 1.1.1.1'], '1.1.1.1'],
    ['text of the client does not count', one, '10.0.0.1', ['evil, 1.1.1.1'], '1.1.1.1'],
    ['two hops', two, '10.0.0.1', ['8.8.8.8, 1.1.1.1, 10.2.3.4'], '1.1.1.1'],
    ['one of two hops trusted', one, '10.0.0.1', ['1.1.1.1, 10.2.3.4'], '10.2.3.4'],
    ['all hops trusted: the left-most', two, '10.0.0.1', ['10.0.0.9, 10.0.0.8'], '10.0.0.9'],
    ['duplicates of the header are one list', two, '10.0.0.1', ['8.8.8.8', '1.1.1.1', '10.0.0.8'], '1.1.1.1'],
    ['100 entries', two, '10.0.0.1', [`${'8.8.8.8, '.repeat(98)}1.1.1.1, 10.0.0.8`], '1.1.1.1'],
    ['no address: the proxy that wrote it is as far as we know', two, '10.0.0.1', ['1.1.1.1, unknown'], '10.0.0.1'],
    ['an empty entry', two, '10.0.0.1', ['1.1.1.1,'], '10.0.0.1'],
    ['IPv4 with a port', one, '10.0.0.1', ['1.1.1.1:5678'], '1.1.1.1'],
    ['IPv6 with a port', one, '10.0.0.1', ['[2606:4700::1111]:443'], '2606:4700::1111'],
    ['IPv6 in brackets', one, '10.0.0.1', ['[2606:4700::1111]'], '2606:4700::1111'],
    ['IPv6 in another notation', one, '10.0.0.1', ['2606:4700:0:0:0:0:0:1111'], '2606:4700::1111'],
    ['a trusted IPv6 network', two, '2001:db8::1', ['1.1.1.1, 2001:db8:5::9'], '1.1.1.1'],
    ['an IPv4 peer on an IPv6 socket', one, '::ffff:10.0.0.1', ['1.1.1.1'], '1.1.1.1'],
    ['IPv4 wrapped in IPv6 in the header', two, '10.0.0.1', ['1.1.1.1, ::ffff:10.9.9.9'], '1.1.1.1'],
    ['a zone', one, 'fe80::1%eth0', [], 'fe80::1'],
    ['no peer any more', one, '', ['1.1.1.1'], ''],
  ];
  it.each(cases)('%s', (_name, proxies, peer, forwardedFor, client) => {
    expect(new ClientAddress(proxies).of(peer, forwardedFor)).toBe(client);
  });
});

describe('only addresses and CIDRs are networks', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '0.0.0.0/0'])('%s is one', (text) => {
    expect(isNetwork(text)).toBe(true);
    expect(() => new ClientAddress([text])).not.toThrow();
  });
  it.each(['', 'proxy.example', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '10.0.0.0/-1'])(
    '%j is none',
    (text) => expect(isNetwork(text)).toBe(false),
  );
});
