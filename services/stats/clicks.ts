import { LRUCache } from 'lru-cache';
import {
  type Campaign,
  ClickBatch,
  type Click as ClickMessage,
  Trigger,
} from '../../gen/proto/waypost/click/v1/click.js';
import { type Channel, channelOf } from './enrich/channel.js';
import { languageOf } from './enrich/language.js';
import { referrerHost } from './enrich/referrer.js';
import { type TrafficClass, trafficClass } from './enrich/traffic-class.js';
import { type Client, clientOf } from './enrich/user-agent.js';

/** A click as it is stored: what the pod saw, with what follows from it. '' = unknown. */
export interface Click {
  /** ULID, 16 bytes. */
  id: Uint8Array;
  timeMs: number;
  tenantId: string;
  linkId: string;
  groupId: string;
  domainId: string;
  shortCode: string;
  targetVersion: number;
  /** Unsigned 64 bits, to be compared under the same salt alone. */
  visitor: bigint | undefined;
  saltId: string;
  trafficClass: TrafficClass;
  country: string;
  client: Client;
  referrer: string;
  language: string;
  trigger: 'link' | 'qr';
  channel: Channel;
  /** The `utm_*` parameters of the visit. */
  campaign: Campaign | undefined;
  status: number;
  costUs: number;
}

/** What one pod had to drop, up to when it told of it, of one tenant's clicks of one hour. */
export interface EdgeDrop {
  tenantId: string;
  /** Beginning of the hour, UTC. */
  hourMs: number;
  pod: string;
  bots: number;
  others: number;
}

const HOUR_MS = 3_600_000;
/** Years of four digits. */
const END_OF_TIME = Date.UTC(10_000, 0);

interface Agent {
  client: Client;
  trafficClass: TrafficClass;
}

/** Most visits come with one of few user agents, and to judge one takes some 25 µs. */
const agents = new LRUCache<string, Agent>({ max: 10_000 });

export interface DecodedClicks {
  clicks: Click[];
  drops: EdgeDrop[];
  /** Why a click or a count of the batch is none; the others are good all the same. */
  fault: string | undefined;
}

/** @throws for bytes that are no batch */
export function decodeClicks(data: Uint8Array): DecodedClicks {
  const batch = ClickBatch.decode(data);
  const clicks: Click[] = [];
  let fault: string | undefined;
  for (const message of batch.clicks) {
    const wrong = faultOf(message);
    if (wrong) fault = wrong;
    else clicks.push(clickOf(message));
  }
  const drops: EdgeDrop[] = [];
  for (const { tenantId, hourMs, bots, others } of batch.drops) {
    const known = tenantId && batch.pod && isTime(hourMs) && bots >= 0 && others >= 0;
    if (known) drops.push({ tenantId, hourMs: hourMs - (hourMs % HOUR_MS), pod: batch.pod, bots, others });
    else fault = 'a count of dropped clicks names no tenant, hour or pod';
  }
  return { clicks, drops, fault };
}

function faultOf({ id, tenantId, linkId, timeMs }: ClickMessage): string | undefined {
  if (id.length !== 16) return 'a click has an id that is not of 16 bytes';
  if (!tenantId || !linkId) return 'a click names no tenant or no link';
  return isTime(timeMs) ? undefined : 'a click has no time';
}

function isTime(timeMs: number): boolean {
  return timeMs > 0 && timeMs < END_OF_TIME;
}

function clickOf(message: ClickMessage): Click {
  const { id, timeMs, tenantId, linkId, flags, visitor } = message;
  const agent = agentOf(message.userAgent);
  const referrer = referrerHost(message.referrer);
  const { medium = '', source = '' } = message.campaign ?? {};
  const trigger = message.trigger === Trigger.QR ? 'qr' : 'link';
  return {
    id,
    timeMs,
    tenantId,
    linkId,
    groupId: message.groupId,
    domainId: message.domainId,
    shortCode: message.shortCode,
    targetVersion: message.targetVersion,
    visitor: visitor === undefined ? undefined : BigInt(visitor),
    saltId: message.saltId,
    trafficClass: flags?.head || flags?.prefetch ? trafficClass(message.userAgent, flags) : agent.trafficClass,
    country: /^[A-Z]{2}$/.test(message.country) ? message.country : '',
    client: agent.client,
    referrer,
    language: languageOf(message.language),
    trigger,
    channel: channelOf({ referrer, medium, source, adClick: message.adClick, trigger }),
    campaign: message.campaign,
    status: message.status,
    costUs: message.costUs,
  };
}

function agentOf(userAgent: string): Agent {
  const known = agents.get(userAgent);
  if (known) return known;
  const agent = { client: clientOf(userAgent), trafficClass: trafficClass(userAgent, undefined) };
  agents.set(userAgent, agent);
  return agent;
}
