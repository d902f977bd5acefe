import { LRUCache } from 'lru-cache';
import { ClickBatch, type Click as ClickMessage, Trigger } from '../../gen/proto/waypost/click/v1/click.js';
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
  status: number;
  costUs: number;
}

export interface Dropped {
  bots: number;
  others: number;
}

interface Agent {
  client: Client;
  trafficClass: TrafficClass;
}

/** Most visits come with one of few user agents, and to judge one takes some 25 µs. */
const agents = new LRUCache<string, Agent>({ max: 10_000 });

export interface DecodedClicks {
  clicks: Click[];
  /** Why a click of the batch is none; the others are good all the same. */
  fault: string | undefined;
  dropped: Dropped;
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
  return { clicks, fault, dropped: { bots: batch.droppedBots, others: batch.droppedOthers } };
}

function faultOf({ id, tenantId, linkId, timeMs }: ClickMessage): string | undefined {
  if (id.length !== 16) return 'a click has an id that is not of 16 bytes';
  if (!tenantId || !linkId) return 'a click names no tenant or no link';
  return timeMs > 0 ? undefined : 'a click has no time';
}

function clickOf(message: ClickMessage): Click {
  const { id, timeMs, tenantId, linkId, flags, visitor } = message;
  const agent = agentOf(message.userAgent);
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
    referrer: referrerHost(message.referrer),
    language: languageOf(message.language),
    trigger: message.trigger === Trigger.QR ? 'qr' : 'link',
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
