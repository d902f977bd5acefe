import { Binary, type IndexDescription, Long } from 'mongodb';
import type { Campaign } from '../../../gen/proto/waypost/click/v1/click.js';
import type { Click } from '../clicks.js';
import type { Channel } from '../enrich/channel.js';
import { RULE_VERSION, type TrafficClass } from '../enrich/traffic-class.js';

/** One click. Short names: there are hundreds of millions of them. What is unknown is left out. */
export interface EventDocument {
  /** ULID, 16 bytes. */
  _id: Binary;
  t: Date;
  /** Tenant, link, domain group, domain. */
  te: string;
  l: string;
  dg?: string | undefined;
  dm?: string | undefined;
  code: string;
  /** Version of the link's target. */
  tv: number;
  /** Visitor and the salt of its hash. */
  v?: Long | undefined;
  sa?: string | undefined;
  cls: TrafficClass;
  /** Version of the rules that gave `cls`, `dv`, `br`, `os` and `ch`. */
  rv: number;
  co?: string | undefined;
  dv: string;
  br?: string | undefined;
  os?: string | undefined;
  rf?: string | undefined;
  la?: string | undefined;
  tg: 'link' | 'qr';
  ch: Channel;
  /** Source, medium, campaign, term and content of the `utm_*` parameters. */
  utm?: Record<'s' | 'm' | 'c' | 't' | 'n', string | undefined> | undefined;
  st: number;
  us: number;
  /** Partition that brought it: the tenant's roll-ups are kept by it. */
  p: number;
}

export function eventDocument(click: Click, partition: number): EventDocument {
  const { device, browser, os } = click.client;
  return {
    _id: new Binary(click.id),
    t: new Date(click.timeMs),
    te: click.tenantId,
    l: click.linkId,
    dg: click.groupId || undefined,
    dm: click.domainId || undefined,
    code: click.shortCode,
    tv: click.targetVersion,
    v: click.visitor === undefined ? undefined : Long.fromBigInt(click.visitor, true).toSigned(),
    sa: click.saltId || undefined,
    cls: click.trafficClass,
    rv: RULE_VERSION,
    co: click.country || undefined,
    dv: device,
    br: browser || undefined,
    os: os || undefined,
    rf: click.referrer || undefined,
    la: click.language || undefined,
    tg: click.trigger,
    ch: click.channel,
    utm: click.campaign && utmOf(click.campaign),
    st: click.status,
    us: click.costUs,
    p: partition,
  };
}

function utmOf({ source, medium, campaign, term, content }: Campaign): EventDocument['utm'] {
  return {
    s: source || undefined,
    m: medium || undefined,
    c: campaign || undefined,
    t: term || undefined,
    n: content || undefined,
  };
}

/** Names of the collections of raw clicks. */
export const EVENTS = /^events_\d{6}$/;

/** One collection for each month (UTC) of event time: a month is dropped whole when its time is over. */
export function monthOf(timeMs: number): string {
  const date = new Date(timeMs);
  return `events_${date.getUTCFullYear() * 100 + date.getUTCMonth() + 1}`;
}

export const EVENT_INDEXES: IndexDescription[] = [
  // Visitors of a link are counted from this index alone: in half the time that its clicks would take.
  { key: { te: 1, l: 1, cls: 1, t: 1, sa: 1, v: 1 } },
  { key: { te: 1, t: 1 } },
];
