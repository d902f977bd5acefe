import type { ClientSession, Collection, UpdateOptions } from 'mongodb';
import { ActorKind } from '../gen/proto/waypost/context/v1/context.js';
import { Event } from '../gen/proto/waypost/event/v1/event.js';
import type { Lease } from './lease.js';
import type { Log } from './log.js';
import type { Mongo } from './mongo.js';
import type { Nats } from './nats.js';
import type { Actor } from './rpc-context.js';
import { ulid } from './ulid.js';

/** What happened, written in the same transaction as the change itself. */
export interface OutboxRow {
  /** ULID: the event's id, and its Nats-Msg-Id. */
  _id: string;
  type: string;
  tenantId: string;
  objectId: string;
  rev: number;
  at: Date;
  actor: Actor;
  traceId: string;
  /** `inv.…` and `evt.…` subjects that it is published to. */
  subjects: string[];
  /** Names of the effects still to be made; absent when none is left. */
  pending?: string[];
  /** Who did what, for the audit log; the row stays until the log has taken it. */
  audit: AuditEntry;
}

/** Before and after hold only what changed, secrets and query strings left out (T-8). */
export interface AuditEntry {
  action: string;
  object: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | undefined;
  source: string;
  clientIp: string;
}

/** Something that follows a commit. Made at least once for each row, so it must be repeatable. */
export interface Effect {
  name: string;
  /** @throws PartlyMade when it was made for some of the rows, any other error when it must be made again for all. */
  run(rows: readonly OutboxRow[]): Promise<void>;
}

/** One row that can't go out must not hold up those beside it. */
export class PartlyMade extends Error {
  readonly made: readonly OutboxRow[];

  constructor(made: readonly OutboxRow[], cause: unknown) {
    super('made for some rows only', { cause });
    this.made = made;
  }
}

export function outboxRow(row: Omit<OutboxRow, '_id' | 'at' | 'pending'>, effects: readonly Effect[]): OutboxRow {
  return { _id: ulid(), at: new Date(), ...row, pending: effects.map((effect) => effect.name) };
}

/** Publishes the subjects of rows that begin with `prefix`, each under the event's id. */
export function publishing(name: string, prefix: string, nats: Nats): Effect {
  async function publish(row: OutboxRow): Promise<void> {
    const data = encodeEvent(row);
    const subjects = row.subjects.filter((subject) => subject.startsWith(prefix));
    // A stream takes an id once, whatever the subject.
    const ids = subjects.map((_subject, index) => (index === 0 ? row._id : `${row._id}.${index}`));
    await Promise.all(subjects.map((subject, index) => nats.publish(subject, data, ids[index] as string)));
  }
  return {
    name,
    async run(rows) {
      const results = await Promise.allSettled(rows.map(publish));
      const failed = results.find((result) => result.status === 'rejected');
      const made = rows.filter((_row, index) => results[index]?.status === 'fulfilled');
      if (failed) throw new PartlyMade(made, failed.reason);
    },
  };
}

function encodeEvent(row: OutboxRow): Uint8Array {
  const { _id: id, type, tenantId, objectId, rev, at, actor, traceId } = row;
  const kind = ActorKind[actor.kind];
  return Event.encode({
    id,
    type,
    tenantId,
    objectId,
    rev,
    occurredAt: at,
    actor: { ...actor, kind },
    traceId,
  }).finish();
}

export interface OutboxOptions {
  /** One collection for each service: `outbox_link`. */
  collection: string;
  /** In the order in which they are made; one that fails does not stop the next. */
  effects: readonly Effect[];
  log: Log;
}

/** Rows are small and their effects cheap; one round of the relay never holds more. */
export const OUTBOX_CHUNK = 200;

export class Outbox {
  readonly effects: readonly Effect[];
  readonly #mongo: Mongo;
  readonly #rows: Collection<OutboxRow>;
  readonly #log: Log;
  readonly #underWay = new Set<Promise<void>>();

  constructor(mongo: Mongo, options: OutboxOptions) {
    this.effects = options.effects;
    this.#mongo = mongo;
    this.#rows = mongo.db.collection<OutboxRow>(options.collection);
    this.#log = options.log;
  }

  async ensureIndexes(): Promise<void> {
    await this.#rows.createIndex({ pending: 1, _id: 1 }, { partialFilterExpression: { pending: { $exists: true } } });
  }

  /** Inside the caller's transaction. */
  async insert(rows: readonly OutboxRow[], session: ClientSession): Promise<void> {
    if (rows.length > 0) await this.#rows.insertMany([...rows], { session, ordered: true });
  }

  /** Right after the commit, without making the caller wait; what fails is left to the relay. */
  deliverSoon(rows: readonly OutboxRow[]): Promise<void> {
    const delivery = this.deliver(rows);
    this.#underWay.add(delivery);
    void delivery.finally(() => this.#underWay.delete(delivery));
    return delivery;
  }

  /** Makes all pending effects of these rows, each whatever became of the others. */
  async deliver(rows: readonly OutboxRow[]): Promise<void> {
    const made: string[] = [];
    for (const effect of this.effects) {
      const due = rows.filter((row) => row.pending?.includes(effect.name));
      if ((await this.#make(effect, due)).length === due.length) made.push(effect.name);
    }
    // Losing a strike only repeats an effect: not worth a wait for the majority, nor a failure.
    await this.#strike(rows, made, { writeConcern: { w: 1, journal: false } }).catch((error: unknown) => {
      this.#log.debug({ err: error }, 'outbox not struck');
    });
  }

  /**
   * The relay's way: one effect at a time, since one that fails for long (a cache away for an hour) must not repeat the
   * others; and the strike fails when the lease has passed to another process meanwhile. True when it was made for all.
   */
  async redeliver(rows: readonly OutboxRow[], effect: Effect, lease: Lease): Promise<boolean> {
    const made = await this.#make(effect, rows);
    if (made.length > 0) {
      await this.#mongo.transaction(async (session) => {
        await lease.confirm(session);
        await this.#strike(made, [effect.name], { session });
      });
    }
    return made.length === rows.length;
  }

  /** Answers the rows that it was made for. */
  async #make(effect: Effect, rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
    if (rows.length === 0) return [];
    try {
      await effect.run(rows);
      return rows;
    } catch (error) {
      this.#log.debug({ err: error, effect: effect.name, rows: rows.length }, 'effect left to the relay');
      return error instanceof PartlyMade ? error.made : [];
    }
  }

  /** Rows with this effect still to be made, oldest first. */
  async pending(effect: string): Promise<OutboxRow[]> {
    return this.#rows.find({ pending: effect }).sort({ _id: 1 }).limit(OUTBOX_CHUNK).toArray();
  }

  async #strike(rows: readonly OutboxRow[], made: readonly string[], options: UpdateOptions): Promise<void> {
    const ids = rows.map((row) => row._id);
    const left = { $setDifference: [{ $ifNull: ['$pending', []] }, made] };
    const update = [{ $set: { pending: { $cond: [{ $eq: [left, []] }, '$$REMOVE', left] } } }];
    await this.#rows.updateMany({ _id: { $in: ids } }, update, options);
  }

  /** Waits for deliveries under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
