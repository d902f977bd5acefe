import { createSecretKey, randomBytes } from 'node:crypto';
import type { Log } from '../../runtime/log.js';
import type { RedirectStore } from './store.js';
import type { Salt } from './visitor.js';

type SaltStore = Pick<RedirectStore, 'salt' | 'expireSalts'>;

const DAY_MS = 86_400_000;
const LIFE_MS = 2 * DAY_MS;
const SECRET_BYTES = 32;
/** Tomorrow's salt is read so long before midnight, so that a MongoDB that is away then costs no visitors. */
const AHEAD_MS = 3_600_000;
const CHECK_MS = 1_000;

/** The salts of today and, late in the day, of tomorrow. Whichever pod is first makes one; without MongoDB there is none. */
export class VisitorSalts {
  readonly #store: SaltStore;
  readonly #log: Log;
  #held: Salt[] = [];
  #indexed = false;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(store: SaltStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Does not wait for MongoDB. */
  start(): void {
    this.#timer = setInterval(() => this.#tick(), CHECK_MS);
    this.#tick();
  }

  /** The salt of the day that `timeMs` lies in. */
  at(timeMs: number): Salt | undefined {
    const day = dayOf(timeMs);
    return this.#held.find((salt) => salt.day === day);
  }

  #tick(): void {
    this.#checking ??= this.#check(Date.now()).finally(() => {
      this.#checking = undefined;
    });
  }

  async #check(now: number): Promise<void> {
    const days = [...new Set([dayOf(now), dayOf(now + AHEAD_MS)])];
    // What has ended is forgotten here too, not only in the database.
    this.#held = this.#held.filter(({ day }) => days.includes(day));
    try {
      for (const day of days.filter((each) => !this.#held.some((salt) => salt.day === each))) {
        const start = day * DAY_MS;
        const id = new Date(start).toISOString().slice(0, 10);
        const expiresAt = new Date(start + LIFE_MS);
        const secret = await this.#store.salt(id, { secret: randomBytes(SECRET_BYTES), expiresAt });
        this.#held.push({ id, day, secret: createSecretKey(secret) });
      }
      if (this.#indexed) return;
      await this.#store.expireSalts();
      this.#indexed = true;
    } catch (error) {
      this.#log.debug({ err: error }, 'no salt: clicks have no visitor');
    }
  }

  /** Does not wait for a MongoDB that hangs; the end of the connection ends a check. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }
}

/** Since 1970, in UTC. */
function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}
