import { expect, test } from 'vitest';
import { type Channel, channelOf } from './channel.js';

const NOTHING = { referrer: '', medium: '', source: '', adClick: false };

test.each<[Partial<typeof NOTHING>, Channel]>([
  [{}, 'DIRECT'],
  [{ referrer: 'blog.example' }, 'REFERRAL'],
  [{ referrer: 'google.com' }, 'ORGANIC_SEARCH'],
  [{ referrer: 'google.co.uk' }, 'ORGANIC_SEARCH'],
  [{ referrer: 'google.com.hk' }, 'ORGANIC_SEARCH'],
  [{ referrer: 'google.de' }, 'ORGANIC_SEARCH'],
  [{ referrer: 'notgoogle.com' }, 'REFERRAL'],
  [{ referrer: 'google.evil.example' }, 'REFERRAL'],
  [{ referrer: 'mail.google.com' }, 'EMAIL'],
  [{ referrer: 'com.google.android.gm' }, 'EMAIL'],
  [{ referrer: 'm.baidu.com' }, 'ORGANIC_SEARCH'],
  [{ referrer: 'tieba.baidu.com' }, 'ORGANIC_SOCIAL'],
  [{ referrer: 'so.com' }, 'ORGANIC_SEARCH'],
  [{ referrer: 'yandex.ru' }, 'ORGANIC_SEARCH'],
  [{ referrer: 't.co' }, 'ORGANIC_SOCIAL'],
  [{ referrer: 'lm.facebook.com' }, 'ORGANIC_SOCIAL'],
  [{ referrer: 'mp.weixin.qq.com' }, 'ORGANIC_SOCIAL'],
  [{ referrer: 'm.weibo.cn' }, 'ORGANIC_SOCIAL'],
  [{ referrer: 'constructor' }, 'REFERRAL'],
  [{ source: 'constructor' }, 'REFERRAL'],
  [{ source: 'newsletter', medium: 'email' }, 'EMAIL'],
  [{ source: 'spring', medium: 'E-Mail' }, 'EMAIL'],
  [{ medium: 'sms' }, 'SMS'],
  [{ medium: 'affiliate', source: 'partner1' }, 'AFFILIATE'],
  [{ medium: 'banner', source: 'google' }, 'DISPLAY'],
  [{ medium: 'cpc', source: 'google' }, 'PAID_SEARCH'],
  [{ medium: 'cpc', referrer: 'baidu.com' }, 'PAID_SEARCH'],
  [{ medium: 'paid_social', source: 'facebook' }, 'PAID_SOCIAL'],
  [{ medium: 'ppc', source: 'x' }, 'PAID_SOCIAL'],
  [{ medium: 'cpa', source: 'blog.example' }, 'PAID_OTHER'],
  [{ adClick: true }, 'PAID_SEARCH'],
  [{ adClick: true, referrer: 'google.com' }, 'PAID_SEARCH'],
  [{ adClick: true, referrer: 'l.instagram.com' }, 'PAID_SOCIAL'],
  [{ medium: 'social', source: 'acme' }, 'ORGANIC_SOCIAL'],
  [{ medium: 'organic', source: 'acme' }, 'ORGANIC_SEARCH'],
  [{ source: 'weixin' }, 'ORGANIC_SOCIAL'],
  [{ medium: 'poster' }, 'REFERRAL'],
])('%j came by %s', (hints, channel) => {
  expect(channelOf({ ...NOTHING, ...hints })).toBe(channel);
});
