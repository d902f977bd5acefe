import type { Log } from '../../runtime/log.js';
import type { VisitorDays } from './store/visitor-days.js';

const EVERY_MS = 3_600_000;

export interface VisitorFoldParts {
  days: Pick<VisitorDays, 'foldableDays' | 'fold' | 'foldStale'>;
  /** Called after each time that all has been counted: what raw clicks are needed for is done. */
  afterwards: () => Promise<void>;
  log: Log;
  now?: () => number;
}

/** Counts the visitors of days that have ended, while their raw clicks are there. At the start, then every hour. */
export class VisitorFold {
  readonly #parts: VisitorFoldParts;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(parts: VisitorFoldParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    void this.run();
  }

  /** Every process may do it at any time, and twice is as good as once. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { days, afterwards, log, now = Date.now } = this.#parts;
    try {
      for (const day of await days.foldableDays(now())) {
        if (this.#stopped) return;
        await days.fold(day);
        log.info({ day: new Date(day) }, 'visitors of a day counted');
      }
      const again = await days.foldStale(now());
      if (again > 0) log.info({ numbers: again }, 'visitors counted again after late clicks');
      if (!this.#stopped) await afterwards();
    } catch (error) {
      if (!this.#stopped) log.warn({ err: error }, 'visitors of ended days not counted');
    }
  }

  /** Does not wait for a count that is under way: it is made again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}
