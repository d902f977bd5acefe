import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { DropCount } from '../../gen/proto/waypost/click/v1/click.js';
import { CLICK_PARTITIONS } from '../../runtime/streams.js';
import { partitionOf } from './click-batch.js';
import type { DropClass } from './click-ring.js';

const HOUR_MS = 3_600_000;
/** Some 2 MB. More tenants than these lose clicks only when everything does. */
const MAX_HELD = 10_000;
/** Some 60 KB: a batch must fit in a message of 1 MiB with its clicks. */
const MAX_TOLD = 500;

interface Held extends DropCount {
  partition: number;
  /** Bots and others of the highest total that is in NATS or in the spool. */
  told: number;
}

/** What is counted within one hour of the clock, under a name of its own. */
interface Shift {
  pod: string;
  hour: number;
  held: Map<string, Held>;
  /** By partition: total is higher than what is told, or was tried to be. */
  changed: Set<Held>[];
}

/** Totals as they are at one moment, for one batch. */
export interface DropReport {
  pod: string;
  drops: DropCount[];
}

/**
 * Drops by tenant, hour of the click and class. Totals only grow, and the highest is the one that counts, so a report may
 * be sent twice or late. A shift that is over is forgotten once it has been told of; what is dropped of its clicks later is
 * counted by the shift of that time, under another name, so that nothing is overwritten.
 */
export class DropLedger {
  readonly #limit: number;
  readonly #now: () => number;
  #shifts: Shift[];
  #held = 0;

  constructor({ limit = MAX_HELD, now = Date.now } = {}) {
    this.#limit = limit;
    this.#now = now;
    this.#shifts = [newShift(hourOf(now()))];
  }

  /** Nothing happens for more tenants than it may hold. */
  count(tenantId: string, timeMs: number, dropClass: DropClass): void {
    const { held, changed } = this.#shift();
    const key = `${tenantId} ${hourOf(timeMs)}`;
    let total = held.get(key);
    if (!total) {
      if (this.#held >= this.#limit) return;
      const partition = partitionOf(tenantId);
      total = { tenantId, hourMs: hourOf(timeMs), bots: 0, others: 0, partition, told: 0 };
      held.set(key, total);
      this.#held++;
    }
    if (dropClass === 'bot') total.bots++;
    else total.others++;
    changed[total.partition]?.add(total);
  }

  /** Whether there is something to tell of tenants of a partition. */
  waiting(partition: number): boolean {
    return this.#shifts.some(({ changed }) => (changed[partition]?.size ?? 0) > 0);
  }

  /** What is to be told next, of one shift; perhaps nothing. Settle it when its fate is known. */
  take(partition: number): DropReport {
    const shift = this.#shifts.find(({ changed }) => (changed[partition]?.size ?? 0) > 0) ?? this.#shift();
    const changed = shift.changed[partition] ?? new Set();
    const drops: DropCount[] = [];
    for (const total of changed) {
      if (drops.length === MAX_TOLD) break;
      const { tenantId, hourMs, bots, others } = total;
      drops.push({ tenantId, hourMs, bots, others });
      changed.delete(total);
    }
    return { pod: shift.pod, drops };
  }

  /** @param placed whether the report is in NATS or in the spool; if not, it is told again */
  settle({ pod, drops }: DropReport, placed: boolean): void {
    const shift = this.#shifts.find((each) => each.pod === pod);
    if (!shift) return;
    for (const drop of drops) {
      const total = shift.held.get(`${drop.tenantId} ${drop.hourMs}`);
      if (!total) continue;
      if (placed) total.told = Math.max(total.told, sum(drop));
      else if (sum(total) > total.told) shift.changed[total.partition]?.add(total);
    }
    this.#forget();
  }

  /** Clicks of whose loss nobody has been told. */
  get untold(): number {
    return this.#shifts.reduce((clicks, shift) => clicks + untoldOf(shift), 0);
  }

  /** Of now. */
  #shift(): Shift {
    const hour = hourOf(this.#now());
    const last = this.#shifts.at(-1);
    if (last?.hour === hour) return last;
    const next = newShift(hour);
    this.#shifts.push(next);
    this.#forget();
    return next;
  }

  #forget(): void {
    if (this.#shifts.length === 1) return;
    const last = this.#shifts.at(-1);
    this.#shifts = this.#shifts.filter((shift) => shift === last || untoldOf(shift) > 0);
    this.#held = this.#shifts.reduce((size, { held }) => size + held.size, 0);
  }
}

function newShift(hour: number): Shift {
  // A process id comes again, in a container most of all.
  const pod = `${hostname()}-${process.pid}-${randomBytes(8).toString('hex')}`;
  return { pod, hour, held: new Map(), changed: Array.from({ length: CLICK_PARTITIONS }, () => new Set()) };
}

function untoldOf({ held }: Shift): number {
  let clicks = 0;
  for (const total of held.values()) clicks += sum(total) - total.told;
  return clicks;
}

function sum({ bots, others }: DropCount): number {
  return bots + others;
}

function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}
