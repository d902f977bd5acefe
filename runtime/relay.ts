import { ActorKind } from '../gen/proto/waypost/context/v1/context.js';
import { Event } from '../gen/proto/waypost/event/v1/event.js';
import type { Lease } from './lease.js';
import type { Log } from './log.js';
import type { Nats } from './nats.js';
import { OUTBOX_CHUNK, type Outbox } from './outbox.js';
import { BEAT_EVERY_MS, beatSubject } from './streams.js';
import { ulid } from './ulid.js';

export interface RelayOptions {
  /** Service whose outbox it is. */
  source: string;
  /** The effect that readers are waiting for: while it lags, there is no beat. */
  beatEffect: string;
  outbox: Outbox;
  lease: Lease;
  nats: Nats;
  log: Log;
}

/** A writer has this long to make the effects itself before the relay does. */
const GRACE_MS = 400;

/** Life of the lease that relays run under: a killed one's work is taken up within two seconds. */
export const RELAY_LEASE_MS = 1_500;

/**
 * Makes the effects that writers left behind (crashed after the commit, or had no connection), and says every 200 ms
 * that none is overdue: the beat. A reader that hears no beat reads the database instead (decisions 10).
 * Age is counted from when the relay first saw a row, by its own monotonic clock: writers' clocks may differ.
 */
export class Relay {
  readonly #options: RelayOptions;
  /** When each pending row was first seen; undefined until the first round under the lease. */
  #seen: Map<string, number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#next(BEAT_EVERY_MS);
  }

  #next(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#tick().then((more) => {
        if (!this.#stopped) this.#next(more ? 0 : BEAT_EVERY_MS);
      });
    }, ms);
  }

  /** True when there is more to do at once. */
  async #tick(): Promise<boolean> {
    const { lease, log } = this.#options;
    if (!lease.held) {
      this.#seen = undefined;
      return false;
    }
    try {
      const { caughtUp, more } = await this.#sweep();
      if (caughtUp && lease.held) this.#beat();
      return more;
    } catch (error) {
      log.debug({ err: error }, 'relay round failed');
      return false;
    }
  }

  /** `caughtUp` when nothing that readers wait for is overdue. */
  async #sweep(): Promise<{ caughtUp: boolean; more: boolean }> {
    const { outbox, beatEffect, lease } = this.#options;
    const before = this.#seen;
    const seen = new Map<string, number>();
    const now = performance.now();
    let caughtUp = true;
    let more = false;
    for (const effect of outbox.effects) {
      const rows = await outbox.pending(effect.name);
      // How old the rows are that a new holder finds, nobody knows: none is beaten over.
      for (const row of rows) seen.set(row._id, before ? (before.get(row._id) ?? now) : Number.NEGATIVE_INFINITY);
      const due = rows.filter((row) => now - (seen.get(row._id) ?? now) >= GRACE_MS);
      const made = due.length === 0 || (await outbox.redeliver(due, effect, lease));
      const full = rows.length === OUTBOX_CHUNK;
      if (effect.name === beatEffect && (full || !made)) caughtUp = false;
      if (full && made && due.length > 0) more = true;
    }
    this.#seen = seen;
    return { caughtUp, more };
  }

  #beat(): void {
    const { source, nats, log } = this.#options;
    const actor = { id: source, kind: ActorKind.SYSTEM, name: source };
    const beat = { id: ulid(), type: 'beat', tenantId: '', objectId: source, rev: 0, occurredAt: new Date(), actor };
    nats
      .publish(beatSubject(source), Event.encode({ ...beat, traceId: '' }).finish(), beat.id)
      .catch((error: unknown) => log.debug({ err: error }, 'no beat'));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }
}
