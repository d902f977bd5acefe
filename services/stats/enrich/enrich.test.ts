import { describe, expect, it } from 'vitest';
import { languageOf } from './language.js';
import { referrerHost } from './referrer.js';
import { trafficClass } from './traffic-class.js';
import { clientOf } from './user-agent.js';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const PIXEL =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A.230803.041; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBVIEW = `${PIXEL} Version/4.0 Chrome/120.0.6099.144 Mobile Safari/537.36`;

/** User agent, device, system, browser. */
const PEOPLE: [string, string, string, string][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'DESKTOP',
    'Windows',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87',
    'DESKTOP',
    'Windows',
    'Edge',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'DESKTOP',
    'Mac OS',
    'Safari',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'DESKTOP', 'Linux', 'Firefox'],
  [`${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`, 'IOS', 'iOS', 'Mobile Safari'],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'ANDROID',
    'Android',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'ANDROID',
    'Android',
    'Samsung Internet',
  ],
  [
    `${WEBVIEW} XWEB/1160065 MMWEBSDK/20231202 MicroMessenger/8.0.47.2560(0x28002F30) WeChat/arm64`,
    'ANDROID',
    'Android',
    'WeChat',
  ],
  [`${IPHONE} Mobile/15E148 MicroMessenger/8.0.47(0x18002f2c) NetType/WIFI Language/zh_CN`, 'IOS', 'iOS', 'WeChat'],
  [
    `${IPHONE} Mobile/15E148 AliApp(DingTalk/7.5.5) com.laiwang.DingTalk/38276340 Channel/201200`,
    'IOS',
    'iOS',
    'DingTalk',
  ],
  [`${WEBVIEW} AliApp(AP/10.5.66.8000) AlipayClient/10.5.66.8000 Language/zh-Hans`, 'ANDROID', 'Android', 'Alipay'],
  [`${WEBVIEW} V1_AND_SQ_9.0.8_5540_YYB_D QQ/9.0.8.14755 NetType/WIFI WebP/0.3.0`, 'ANDROID', 'Android', 'QQ'],
  [`${IPHONE} Mobile/15E148 Lark/7.9.5 LarkLocale/zh_CN ChannelName/Feishu`, 'IOS', 'iOS', 'Feishu'],
  [`${WEBVIEW} wxwork/4.1.22 MicroMessenger/7.0.1 NetType/WIFI Language/zh`, 'ANDROID', 'Android', 'WeCom'],
  [
    `${IPHONE} Mobile/15E148 Instagram 309.1.1.28.108 (iPhone14,5; iOS 17_4; en_US; en; scale=3.00)`,
    'IOS',
    'iOS',
    'Instagram',
  ],
  [`${WEBVIEW} [FB_IAB/FB4A;FBAV/444.0.0.33.113;]`, 'ANDROID', 'Android', 'Facebook'],
];

const BOTS = [
  '',
  '   ',
  'Mozilla/5.0',
  'curl/8.5.0',
  'Wget/1.21.4',
  'python-requests/2.31.0',
  'Go-http-client/2.0',
  'axios/1.6.2',
  'okhttp/4.12.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
];

const PREVIEWS = [
  'WhatsApp/2.23.20.0 A',
  'TelegramBot (like TwitterBot)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'facebookexternalhit/1.1;line-poker/1.0',
  'DingTalkBot-LinkService/1.0 (+https://open.dingtalk.com/document/)',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
];

describe('traffic class', () => {
  it.each(PEOPLE)('takes people for people: %s', (userAgent) => {
    expect(trafficClass(userAgent, undefined)).toBe('HUMAN');
  });

  it.each(BOTS)('takes a bot for a bot: "%s"', (userAgent) => {
    expect(trafficClass(userAgent, { head: false, prefetch: false })).toBe('BOT');
  });

  it.each(PREVIEWS)('tells a preview from a bot: %s', (userAgent) => {
    expect(trafficClass(userAgent, undefined)).toBe('PREVIEW');
  });

  it('believes what the request says of itself before its user agent', () => {
    const [chrome] = PEOPLE[0]!;
    expect(trafficClass(chrome, { head: true, prefetch: false })).toBe('HEAD');
    expect(trafficClass(chrome, { head: false, prefetch: true })).toBe('PREFETCH');
    expect(trafficClass('Twitterbot/1.0', { head: true, prefetch: false })).toBe('HEAD');
  });
});

describe('client', () => {
  it.each(PEOPLE)('knows device, system and browser of %s', (userAgent, device, os, browser) => {
    expect(clientOf(userAgent)).toEqual({ device, os, browser });
  });

  it('calls nothing a desktop that it does not know', () => {
    expect(clientOf('SomeTelevision/1.0').device).toBe('OTHER');
    expect(clientOf('')).toEqual({ device: 'OTHER', os: '', browser: '' });
  });
});

describe('referrer and language', () => {
  it.each([
    ['https://www.example.com/page?x=1#y', 'example.com'],
    ['https://T.co/abc', 't.co'],
    ['http://www.com/', 'www.com'],
    ['https://例え.jp/', 'xn--r8jz45g.jp'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['https://[::1]:8080/', '[::1]'],
    ['', ''],
    ['about:blank', ''],
    ['javascript:alert(1)', ''],
    ['https://', ''],
    ['example.com', ''],
  ])('takes the host of "%s"', (referrer, host) => {
    expect(referrerHost(referrer)).toBe(host);
  });

  it.each([
    ['zh-CN', 'zh-CN'],
    ['EN_us', 'en-US'],
    ['zh-Hans-CN', 'zh-CN'],
    ['es-419', 'es-419'],
    ['de', 'de'],
    ['en-US,en;q=0.9', 'en-US'],
    ['*', ''],
    ['', ''],
    ['$where', ''],
  ])('takes the language of "%s"', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });
});
