import { Click, ClickBatch, Trigger } from '../gen/proto/waypost/click/v1/click.js';
import { clickSubject } from '../runtime/streams.js';
import { ulid, ulidBytes } from '../runtime/ulid.js';
import { partitionOf } from '../services/redirect/click-batch.js';
import { BROWSERS } from './request.js';

export interface ClickMessage {
  subject: string;
  /** Of the message. */
  id: string;
  body: Uint8Array;
}

const LINKS = 5_000;
const TENANTS = 20;
const BATCH_CLICKS = 100;
/** One message in so many is sent again under another id, as a pod does that missed its acknowledgement. */
const AGAIN = 50;
const ROBOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Twitterbot/1.0',
  'curl/8.5.0',
];
export const COUNTRIES = ['DE', 'US', 'FR', 'CN', 'JP', 'BR', 'IN', 'GB', ''];
export const LANGUAGES = ['de-DE', 'en-US', 'fr', 'zh-CN', 'ja', ''];
const REFERRERS = ['', 'https://t.co/abc', 'https://www.example.org/news/an-article?from=list', 'https://example.com/'];
/** Fields that this build of the message has beside those that are set here, at their zero values. */
const EMPTY = Click.decode(new Uint8Array());
const EMPTY_BATCH = ClickBatch.decode(new Uint8Array());

/** Clicks as redirect processes send them, and what the numbers must be when each is counted once. */
export class ClickStream {
  /** Clicks by tenant and link, as `countsOf` reads them. */
  readonly truth = new Map<string, number>();
  readonly #waiting = new Map<number, Click[]>();
  readonly #linkAt = zipf(LINKS);

  /** Messages of 100 clicks; each holds those of one partition, the last of each may hold fewer. */
  *messages(clicks: number): Generator<ClickMessage> {
    let sent = 0;
    for (let i = 0; i < clicks; i++) {
      const click = this.#click();
      const partition = partitionOf(click.tenantId);
      const waiting = this.#waiting.get(partition) ?? [];
      this.#waiting.set(partition, waiting);
      if (waiting.push(click) < BATCH_CLICKS) continue;
      const message = this.#seal(partition, waiting);
      yield message;
      if (++sent % AGAIN === 0) yield { ...message, id: ulid() };
    }
    for (const [partition, waiting] of this.#waiting) if (waiting.length > 0) yield this.#seal(partition, waiting);
  }

  #seal(partition: number, clicks: Click[]): ClickMessage {
    const body = ClickBatch.encode({ ...EMPTY_BATCH, clicks, pod: 'bench' }).finish();
    this.#waiting.set(partition, []);
    return { subject: clickSubject(partition), id: ulid(), body };
  }

  #click(): Click {
    const link = this.#linkAt();
    const tenantId = `ten_${link % TENANTS}`;
    const linkId = `lnk_${String(link).padStart(13, '0')}`;
    const name = `${tenantId} ${linkId}`;
    this.truth.set(name, (this.truth.get(name) ?? 0) + 1);
    const timeMs = Date.now();
    return {
      ...EMPTY,
      id: ulidBytes(timeMs),
      timeMs,
      tenantId,
      linkId,
      groupId: `grp_${link % TENANTS}`,
      domainId: `dom_${link % TENANTS}`,
      shortCode: `c${link}`,
      targetVersion: 1,
      visitor: Math.floor(Math.random() * 2 ** 53),
      saltId: '2026-01-01',
      country: any(COUNTRIES),
      userAgent: Math.random() < 0.1 ? any(ROBOTS) : any(BROWSERS),
      referrer: any(REFERRERS),
      language: any(LANGUAGES),
      flags: { head: false, prefetch: false },
      status: 302,
      costUs: Math.floor(Math.random() * 300),
      trigger: Math.random() < 0.1 ? Trigger.QR : Trigger.LINK,
    };
  }
}

export function any<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)] as T;
}

/** Draws 0 … n-1, the k-th with a weight of 1/(k+1): few links have most clicks. */
function zipf(n: number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let k = 1; k <= n; k++) {
    sum += 1 / k;
    sums.push(sum);
  }
  return () => {
    const drawn = Math.random() * sum;
    let [low, high] = [0, n - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
