import { UAParser } from 'my-ua-parser';

export const DEVICES = ['IOS', 'ANDROID', 'DESKTOP', 'OTHER'] as const;
export type Device = (typeof DEVICES)[number];

export interface Client {
  device: Device;
  /** Family without version; '' when it is not known. */
  os: string;
  browser: string;
}

/** Apps with a browser of their own that the parser takes for Chrome or Safari; the first that fits. */
const IN_APP: readonly [RegExp, string][] = [
  [/DingTalk/i, 'DingTalk'],
  [/wxwork|WeCom/i, 'WeCom'],
  [/MicroMessenger/i, 'WeChat'],
  [/AlipayClient|AliApp\(AP/i, 'Alipay'],
  [/Lark\/|Feishu/i, 'Feishu'],
  // QQ the messenger; its browser is `MQQBrowser` without ` QQ/`.
  [/\sQQ\//, 'QQ'],
];

const DESKTOPS = new Set(['Windows', 'Mac OS', 'Linux', 'Chrome OS', 'Ubuntu', 'Debian', 'Fedora', 'FreeBSD']);
/** The parser knows more than four hundred names of browsers, some of them one family's. */
const MAX_NAME = 40;

export function clientOf(userAgent: string): Client {
  const { os, browser } = UAParser(userAgent);
  const system = name(os.name);
  const app = IN_APP.find(([pattern]) => pattern.test(userAgent))?.[1];
  return { device: deviceOf(system), os: system, browser: app ?? name(browser.name) };
}

function deviceOf(os: string): Device {
  if (os === 'iOS') return 'IOS';
  if (os === 'Android' || os === 'HarmonyOS' || os === 'Android-x86') return 'ANDROID';
  // Only a system that is known: an unknown one may as well be a television.
  return DESKTOPS.has(os) ? 'DESKTOP' : 'OTHER';
}

function name(text: string | undefined): string {
  return (text ?? '').slice(0, MAX_NAME);
}
