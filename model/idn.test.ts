import { describe, expect, it } from 'vitest';
import { judgeLabels, unicodeLabels } from './idn.js';
import { parseTargetUrl } from './target-url.js';

/** The reason, or the flags joined, of a host as typed; and of the same host in A-labels, which must agree. */
function judge(host: string): string {
  const result = parseTargetUrl(`https://${host}/`);
  if (!result.ok) return result.reason;
  const encoded = parseTargetUrl(`https://${result.url.host}/`);
  expect(encoded).toEqual(result);
  return result.url.flags.join(' ');
}

describe('hosts that people have', () => {
  it.each([
    ...['кремль.рф', 'москва.com', 'ελλάδα.gr', 'ქართული.ge', 'հայաստան.com', 'ᏣᎳᎩ.com', 'ישראל.co.il', 'موقع.com'],
    ...['قناة٢٠.com', 'उदाहरण.com', 'दुःख.भारत', 'বাংলা.com', 'ไทย.com', 'မြန်မာ.com', 'ከተማ.com', 'தமிழ்.com', 'ភាសា.com'],
    ...[
      '日本語.jp',
      'ノート.jp',
      'コーヒーノート.com',
      'ショップ・ジャパン.jp',
      'abc日本ノート.jp',
      '中文abc.com',
      'ㄅㄆ中abc.tw',
      '삼성tv.com',
    ],
    ...[
      'bücher.de',
      'straße.de',
      'łódź.pl',
      'smørrebrød.dk',
      'sæd.dk',
      'œuvre.fr',
      'phở.com',
      'cơm.vn',
      'kadın.com.tr',
    ],
    ...['col·legi.cat', 'hawaiʻi.com', 'þór.is', 'r2---sn.example.com'],
  ])('%s is accepted without a flag', (host) => {
    expect(judge(host)).toBe('');
  });

  it.each([
    ['☃.net', 'idn_symbol'],
    ['💩.la', 'idn_symbol'],
    ['x\u0301ample.com', 'idn_combining'],
    ['pay\u0323\u0323pal.com', 'idn_combining'],
    ['日本☃x\u0301.jp', 'idn_symbol idn_combining'],
  ])('%s is accepted with %s', (host, flags) => {
    expect(judge(host)).toBe(flags);
  });
});

describe('mixed scripts (UTS39 5.2)', () => {
  it.each([
    ...[
      'аpple.com',
      'googlе.com',
      'αpple.com',
      'gօogle.com',
      'აpple.com',
      'Ꭺpple.com',
      'appleक.com',
      'abcไทย.com',
      'раураl.рф',
    ],
    ...['кириллицаελ.com', '日本кот.com', 'ㄅカ.com', '한カ.com', 'faceb০০k.com'],
    ...['1৪.com', 'www.shop.pаypal.example.com'],
  ])('%s is refused', (host) => {
    expect(judge(host)).toBe('idn_mixed_script');
  });
});

describe('whole-script confusables', () => {
  it.each([
    ...['аррӏе.com', 'ѕсоре.com', 'сор.example.com', 'ρορ.com', 'οοο.com', 'օոօ.com', 'ᎪᏢᏢᏞᎬ.com', '౦౦.com'],
    ...[
      'ɡoogle.com',
      'ɑpple.com',
      'paypa∣.com',
      'paypaı.com',
      'kadın.com',
      'g〇〇gle.com',
      'goog丨e.com',
      'goog\u3163e.com',
      'i\u0307con.com',
    ],
  ])('%s is refused under an ASCII top-level domain', (host) => {
    expect(judge(host)).toBe('idn_confusable');
  });

  it('the same label is accepted under a top-level domain of another script', () => {
    expect(judge('аррӏе.рф')).toBe('');
  });
});

describe('look-alikes of URL delimiters', () => {
  const shapes = '⁄∕⧸╱⟋⫽〳ノ丿\u0338' + 'ʔ⸮¿❓' + '♯⋕' + '꞉ː∶։⁝' + '·‧•ꓸ۰' + '٪⁒‰' + '∖⧵丶';
  it.each([...shapes])('%s makes a host look like another with a path and is refused', (char) => {
    expect(judge(`example.com${char}x.рф`)).toBe('idn_confusable');
  });

  it.each(['℀', '／', '％', '＃', '？', '：', '＠', '․', '⒈', '%2f', '%25', '%40'])(
    '%s maps to a delimiter and is no host at all',
    (char) => {
      expect(judge(`example.com${char}x.evil.example`)).toBe('invalid_url');
    },
  );
});

describe('invisible characters', () => {
  it.each(['\u200b', '\u00ad', '\u2060', '\ufeff', '\ufe0f', '\u034f', '\u{e0100}', '\u2800', '\u{1d159}'])(
    '%j is refused in a host, as itself and percent-encoded',
    (char) => {
      expect(judge(`goo${char}gle.com`)).toBe('idn_invisible');
      expect(judge(`goo${encodeURIComponent(char)}gle.com`)).toBe('idn_invisible');
    },
  );

  it('a joiner in an A-label is found after decoding', () => {
    expect(judge('xn--mgbn2ecje63gr19l.com')).toBe('idn_invisible');
    expect(judge('xn--ab-10y.com')).toBe('idn_invisible');
  });
});

describe('unicodeLabels', () => {
  it('decodes every label, and refuses an A-label that does not encode back to itself on any engine', () => {
    expect(unicodeLabels('www.xn--mnchen-3ya.de')).toEqual(['www', 'münchen', 'de']);
    for (const label of ['xn--', 'xn--a', 'xn--abc-', 'xn--pokxncvks', 'xn--xn---3ra', 'xn--e-xbb', 'xn--ab-g1t']) {
      expect(unicodeLabels(`${label}.com`)).toBeUndefined();
    }
  });

  it('leaves ASCII labels unjudged', () => {
    expect(judgeLabels(['rnicrosoft', 'com'])).toEqual({ ok: true, flags: [] });
  });
});
