import { Agent, request } from 'node:http';

/** What one visit is known to be, and so what statistics must say of it. */
export interface Visit {
  shortUrl: string;
  linkId: string;
  targetVersion: number;
  trafficClass: 'HUMAN' | 'BOT' | 'PREVIEW' | 'PREFETCH' | 'HEAD';
  country: string;
  device: string;
  browser: string;
  os: string;
  referrer: string;
  language: string;
  trigger: 'LINK' | 'QR';
  /** Of one who may be recognised: who it is on that day. */
  visitor: string | undefined;
}

interface UserAgent {
  text: string;
  trafficClass: 'HUMAN' | 'BOT' | 'PREVIEW';
  device: string;
  browser: string;
  os: string;
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ROBOT = { device: 'OTHER', browser: '', os: '' };

const AGENTS: readonly UserAgent[] = [
  {
    text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    ...{ trafficClass: 'HUMAN', device: 'DESKTOP', browser: 'Chrome', os: 'Windows' },
  },
  {
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
    ...{ trafficClass: 'HUMAN', device: 'DESKTOP', browser: 'Firefox', os: 'Linux' },
  },
  {
    text: `${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`,
    ...{ trafficClass: 'HUMAN', device: 'IOS', browser: 'Mobile Safari', os: 'iOS' },
  },
  {
    text: `${IPHONE} Mobile/15E148 MicroMessenger/8.0.47(0x18002f2c) NetType/WIFI Language/zh_CN`,
    ...{ trafficClass: 'HUMAN', device: 'IOS', browser: 'WeChat', os: 'iOS' },
  },
  {
    text: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    ...{ trafficClass: 'HUMAN', device: 'ANDROID', browser: 'Chrome', os: 'Android' },
  },
  { text: 'Googlebot/2.1 (+http://www.google.com/bot.html)', trafficClass: 'BOT', ...ROBOT },
  { text: 'curl/8.5.0', trafficClass: 'BOT', ...ROBOT },
  { text: '', trafficClass: 'BOT', ...ROBOT },
  { text: 'WhatsApp/2.23.20.0', trafficClass: 'PREVIEW', ...ROBOT },
];

/** Addresses whose country the database knows; the last is in none. */
const ADDRESSES: readonly (readonly [string, string])[] = [
  ['8.8.8.8', 'US'],
  ['8.8.4.4', 'US'],
  ['114.114.114.114', 'CN'],
  ['240e::1', 'CN'],
  ['192.0.2.1', ''],
];
const REFERRERS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['https://www.example.com/page?x=1', 'example.com'],
  ['https://t.co/abc', 't.co'],
  ['javascript:alert(1)', ''],
  ['android-app://com.example.mail/', 'com.example.mail'],
];
const LANGUAGES: readonly (readonly [string, string])[] = [
  ['de-DE,de;q=0.9', 'de-DE'],
  ['zh-CN', 'zh-CN'],
  ['en', 'en'],
  ['*', ''],
];

export interface Target {
  shortUrl: string;
  linkId: string;
  targetVersion: number;
}

/** Sends visits of known kinds, and keeps what they were: the truth that statistics are held against. */
export class ClickGenerator {
  readonly visits: Visit[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  #made = 0;

  /** Resolves when each visit has had its redirect. @throws for any other answer */
  async visit(targets: readonly Target[], count: number): Promise<void> {
    let left = count;
    const caller = async (): Promise<void> => {
      while (left-- > 0) await this.#one(targets);
    };
    await Promise.all(Array.from({ length: 32 }, caller));
  }

  async #one(targets: readonly Target[]): Promise<void> {
    // Each list has its own step, so that values meet in all combinations, and early ones are more frequent.
    const n = this.#made++;
    const target = targets[pick(n, 7, targets.length)]!;
    const agent = AGENTS[pick(n, 1, AGENTS.length)]!;
    const [address, country] = ADDRESSES[pick(n, 11, ADDRESSES.length)]!;
    const [referer, referrer] = REFERRERS[pick(n, 13, REFERRERS.length)]!;
    const [acceptLanguage, language] = LANGUAGES[pick(n, 17, LANGUAGES.length)]!;
    const head = n % 23 === 5;
    const prefetch = n % 29 === 7;
    const qr = n % 5 === 3;
    const unrecognised = n % 19 === 4;
    const headers: Record<string, string> = { 'x-forwarded-for': address, 'accept-language': acceptLanguage };
    if (agent.text) headers['user-agent'] = agent.text;
    if (referer) headers.referer = referer;
    if (prefetch) headers['sec-purpose'] = 'prefetch;prerender';
    if (unrecognised) headers['sec-gpc'] = '1';
    await this.#send(`${target.shortUrl}${qr ? '?qr=1' : ''}`, head ? 'HEAD' : 'GET', headers);
    const { device, browser, os } = agent;
    this.visits.push({
      ...target,
      trafficClass: prefetch ? 'PREFETCH' : head ? 'HEAD' : agent.trafficClass,
      ...{ country, device, browser, os, referrer, language },
      trigger: qr ? 'QR' : 'LINK',
      visitor: unrecognised ? undefined : `${new Date().toISOString().slice(0, 10)} ${address} ${agent.text}`,
    });
  }

  #send(url: string, method: string, headers: Record<string, string>): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: this.#agent }, (response) => {
        response.resume();
        response.once('end', () =>
          response.statusCode === 302 ? resolve() : reject(new Error(`${method} ${url}: ${response.statusCode}`)),
        );
      });
      sent.once('error', reject);
      sent.end();
    });
  }

  stop(): void {
    this.#agent.destroy();
  }
}

/** An index that falls with its size: 0 about twice as often as the last. */
function pick(n: number, step: number, length: number): number {
  const place = Math.imul(n + 1, 2_654_435_761 + 2 * step) >>> 8;
  return Math.min((place + step) % length, (place >>> 7) % length);
}
