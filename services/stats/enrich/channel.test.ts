import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHANNELS, type Channel, type ChannelSigns, channelOf } from './channel.js';
import { referrerHost } from './referrer.js';
import { siteOf } from './site.js';
import { HOSTS, NAMES } from './sites.js';

function channel(referrer: string, signs: Partial<ChannelSigns> = {}): Channel {
  const none = { medium: '', source: '', adClick: false, trigger: 'link' } as const;
  return channelOf({ referrer: referrerHost(referrer), ...none, ...signs });
}

test.each<[string, Channel]>([
  ['', 'DIRECT'],
  ['https://www.google.com/', 'ORGANIC_SEARCH'],
  ['https://www.google.co.uk/', 'ORGANIC_SEARCH'],
  ['https://www.google.com.hk/', 'ORGANIC_SEARCH'],
  ['https://www.google.de/url?q=x', 'ORGANIC_SEARCH'],
  ['android-app://com.google.android.googlequicksearchbox/', 'ORGANIC_SEARCH'],
  ['https://cn.bing.com/search?q=x', 'ORGANIC_SEARCH'],
  ['https://duckduckgo.com/', 'ORGANIC_SEARCH'],
  ['https://uk.search.yahoo.com/', 'ORGANIC_SEARCH'],
  ['https://yandex.com.tr/', 'ORGANIC_SEARCH'],
  ['https://yandex.ru/search/?text=x', 'ORGANIC_SEARCH'],
  ['https://www.baidu.com/link?url=x', 'ORGANIC_SEARCH'],
  ['https://m.baidu.com/', 'ORGANIC_SEARCH'],
  ['https://www.sogou.com/', 'ORGANIC_SEARCH'],
  ['https://weixin.sogou.com/', 'ORGANIC_SEARCH'],
  ['https://www.so.com/s?q=x', 'ORGANIC_SEARCH'],
  ['https://m.sm.cn/', 'ORGANIC_SEARCH'],
  ['https://search.naver.com/', 'ORGANIC_SEARCH'],
  ['https://l.facebook.com/l.php?u=x', 'ORGANIC_SOCIAL'],
  ['https://m.facebook.com/', 'ORGANIC_SOCIAL'],
  ['https://t.co/abc', 'ORGANIC_SOCIAL'],
  ['https://l.instagram.com/', 'ORGANIC_SOCIAL'],
  ['https://www.linkedin.com/', 'ORGANIC_SOCIAL'],
  ['android-app://com.linkedin.android/', 'ORGANIC_SOCIAL'],
  ['https://out.reddit.com/', 'ORGANIC_SOCIAL'],
  ['https://www.pinterest.co.uk/', 'ORGANIC_SOCIAL'],
  ['https://weibo.com/', 'ORGANIC_SOCIAL'],
  ['https://m.weibo.cn/', 'ORGANIC_SOCIAL'],
  ['https://link.zhihu.com/?target=x', 'ORGANIC_SOCIAL'],
  ['https://www.douyin.com/', 'ORGANIC_SOCIAL'],
  ['https://www.xiaohongshu.com/', 'ORGANIC_SOCIAL'],
  ['https://mp.weixin.qq.com/s/x', 'ORGANIC_SOCIAL'],
  ['https://servicewechat.com/wx123/1/page-frame.html', 'ORGANIC_SOCIAL'],
  ['https://user.qzone.qq.com/', 'ORGANIC_SOCIAL'],
  ['https://tieba.baidu.com/', 'ORGANIC_SOCIAL'],
  ['https://www.youtube.com/', 'ORGANIC_VIDEO'],
  ['https://www.bilibili.com/', 'ORGANIC_VIDEO'],
  ['https://v.qq.com/', 'ORGANIC_VIDEO'],
  ['https://www.amazon.co.jp/', 'ORGANIC_SHOPPING'],
  ['https://item.taobao.com/', 'ORGANIC_SHOPPING'],
  ['https://mail.google.com/', 'EMAIL'],
  ['android-app://com.google.android.gm/', 'EMAIL'],
  ['https://outlook.live.com/', 'EMAIL'],
  ['https://mail.qq.com/', 'EMAIL'],
  ['https://googleads.g.doubleclick.net/', 'DISPLAY'],
  ['https://docs.google.com/', 'REFERRAL'],
  ['https://pan.baidu.com/', 'REFERRAL'],
  ['https://news.qq.com/', 'REFERRAL'],
  ['https://blog.example/', 'REFERRAL'],
  ['https://notgoogle.com/', 'REFERRAL'],
  ['https://google.example/', 'REFERRAL'],
  ['https://facebook.com.evil.example/', 'REFERRAL'],
])('without tags %s is %s', (referrer, expected) => {
  expect(channel(referrer)).toBe(expected);
});

test.each<[string, string, string, Channel]>([
  // Source, medium, referrer.
  ['google', 'cpc', '', 'PAID_SEARCH'],
  ['Google', 'CPC', 'https://www.google.com/', 'PAID_SEARCH'],
  ['baidu', 'sem', '', 'PAID_SEARCH'],
  ['google', 'organic', '', 'ORGANIC_SEARCH'],
  ['', 'organic', '', 'ORGANIC_SEARCH'],
  ['facebook', 'cpc', '', 'PAID_SOCIAL'],
  ['fb', 'paid', '', 'PAID_SOCIAL'],
  ['fb', 'paid_social', 'https://l.facebook.com/', 'PAID_SOCIAL'],
  ['agency', 'Paid Social', '', 'PAID_SOCIAL'],
  ['youtube', 'cpv', '', 'PAID_VIDEO'],
  ['taobao', 'cpc', '', 'PAID_SHOPPING'],
  ['gdn', 'cpc', '', 'DISPLAY'],
  ['partner', 'banner', '', 'DISPLAY'],
  ['partner', 'cpm', '', 'DISPLAY'],
  ['partner', 'cpc', '', 'PAID_OTHER'],
  ['partner', 'cpc', 'https://www.bing.com/', 'PAID_SEARCH'],
  ['twitter', 'social', '', 'ORGANIC_SOCIAL'],
  ['app', 'social-media', '', 'ORGANIC_SOCIAL'],
  ['weixin', '', '', 'ORGANIC_SOCIAL'],
  ['微信', '', '', 'ORGANIC_SOCIAL'],
  ['xiaohongshu', 'kol', '', 'ORGANIC_SOCIAL'],
  ['facebook', 'kol', 'https://l.facebook.com/', 'ORGANIC_SOCIAL'],
  ['newsletter', 'email', '', 'EMAIL'],
  ['google', 'e_mail', '', 'EMAIL'],
  ['newsletter', '', '', 'EMAIL'],
  ['spring', 'email', 'https://www.google.com/', 'EMAIL'],
  ['sms', '', '', 'SMS'],
  ['shop', 'SMS', '', 'SMS'],
  ['partner', 'affiliate', 'https://blog.example/', 'AFFILIATE'],
  ['app', 'web_push', '', 'PUSH'],
  ['poster', 'qr', '', 'QR'],
  ['partner', 'referral', '', 'REFERRAL'],
  ['chatgpt.com', '', 'https://chatgpt.com/', 'REFERRAL'],
  ['partner', '', '', 'OTHER'],
  ['partner', 'brochure', '', 'OTHER'],
  ['(direct)', '(none)', '', 'DIRECT'],
])('source "%s", medium "%s", referrer "%s" is %s', (source, medium, referrer, expected) => {
  expect(channel(referrer, { source, medium })).toBe(expected);
});

test.each<[string, Partial<ChannelSigns>, Channel]>([
  ['https://www.google.com/', {}, 'PAID_SEARCH'],
  ['https://m.baidu.com/', {}, 'PAID_SEARCH'],
  ['https://lm.facebook.com/', {}, 'PAID_SOCIAL'],
  ['', { source: 'tiktok' }, 'PAID_SOCIAL'],
  ['https://googleads.g.doubleclick.net/', {}, 'DISPLAY'],
  ['https://www.google.com/', { medium: 'display' }, 'DISPLAY'],
  ['https://blog.example/', {}, 'PAID_OTHER'],
  ['', {}, 'PAID_OTHER'],
])('the click of an ad from "%s" with %o is %s', (referrer, signs, expected) => {
  expect(channel(referrer, { ...signs, adClick: true })).toBe(expected);
});

test('a scan counts as QR unless the maker of the link said otherwise', () => {
  expect(channel('', { trigger: 'qr' })).toBe('QR');
  expect(channel('https://l.instagram.com/', { trigger: 'qr' })).toBe('QR');
  expect(channel('', { trigger: 'qr', medium: 'email' })).toBe('EMAIL');
});

test('whatever a click says, it has one channel of the list', () => {
  const words = fc.constantFrom(
    '',
    'google',
    'cpc',
    'organic',
    'referral',
    't.co',
    'x.example',
    '(none)',
    'constructor',
  );
  const text = fc.oneof(words, fc.string({ unit: 'binary', maxLength: 100 }));
  const signs = {
    medium: text,
    source: text,
    adClick: fc.boolean(),
    trigger: fc.constantFrom('link' as const, 'qr' as const),
  };
  fc.assert(fc.property(fc.record({ referrer: text, ...signs }), (given) => CHANNELS.includes(channelOf(given))));
});

test('each site and each name is of one kind', () => {
  for (const words of [HOSTS, NAMES]) {
    const all = Object.values(words).flatMap((text) => text.split(/\s+/).filter(Boolean));
    expect(all.filter((word, i) => all.indexOf(word) !== i)).toEqual([]);
  }
  for (const [kind, text] of Object.entries(HOSTS)) {
    for (const host of text.split(/\s+/).filter(Boolean)) expect(siteOf(host) ?? 'NONE', host).toBe(kind);
  }
});
