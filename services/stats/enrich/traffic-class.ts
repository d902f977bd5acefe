import { isBot, isPreview } from './bot.js';

/** What made a visit. Every click is stored with one, none is dropped; `clicks` of the API count HUMAN alone. */
export const TRAFFIC_CLASSES = ['HUMAN', 'BOT', 'PREVIEW', 'PREFETCH', 'HEAD'] as const;
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

/** Stored with every click: a change of any rule in this folder takes the next number, and old clicks can be judged again. */
export const RULE_VERSION = 2;

/** What the request said of itself comes first, since a browser's prefetch and an app's HEAD have a person's user agent. */
export function trafficClass(userAgent: string, flags: { head: boolean; prefetch: boolean } | undefined): TrafficClass {
  if (flags?.prefetch) return 'PREFETCH';
  if (flags?.head) return 'HEAD';
  // Before bots: a preview is one as well, but somebody has just shared the link.
  if (isPreview(userAgent)) return 'PREVIEW';
  return isBot(userAgent) ? 'BOT' : 'HUMAN';
}
