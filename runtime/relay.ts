import { ulid } from 'ulid';
import { ActorKind } from '../gen/proto/waypost/context/v1/context.js';
import { Event } from '../gen/proto/waypost/event/v1/event.js';
import type { Lease } from './lease.js';
import type { Log } from './log.js';
import type { Nats } from './nats.js';
import type { Outbox } from './outbox.js';
import { BEAT_EVERY_MS, beatSubject } from './streams.js';

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
  #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#tick().finally(() => {
        if (!this.#stopped) this.start();
      });
    }, BEAT_EVERY_MS);
  }

  async #tick(): Promise<void> {
    const { lease, log } = this.#options;
    if (!lease.held) {
      this.#seen.clear();
      return;
    }
    try {
      if ((await this.#sweep()) && lease.held) this.#beat();
    } catch (error) {
      log.debug({ err: error }, 'relay round failed');
    }
  }

  /** True when nothing that readers wait for is overdue. */
  async #sweep(): Promise<boolean> {
    const { outbox, beatEffect, lease } = this.#options;
    const seen = new Map<string, number>();
    const now = performance.now();
    let caughtUp = true;
    for (const effect of outbox.effects) {
      const rows = await outbox.pending(effect.name);
      for (const row of rows) seen.set(row._id, this.#seen.get(row._id) ?? now);
      const due = rows.filter((row) => now - (seen.get(row._id) ?? now) >= GRACE_MS);
      if (due.length > 0 && !(await outbox.redeliver(due, effect, lease)) && effect.name === beatEffect)
        caughtUp = false;
    }
    this.#seen = seen;
    return caughtUp;
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
