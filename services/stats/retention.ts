import type { Log } from '../../runtime/log.js';
import { RAW_RETENTION_MS } from './ingest.js';
import type { StatsStore } from './store.js';

/** No click of a dropped month may still be on its way into the store: it would make the month anew. */
const MARGIN_MS = 86_400_000;
/** So long single clicks can be asked for: a range of 90 days that ended a moment ago is answered whole. */
export const RAW_READABLE_MS = RAW_RETENTION_MS + MARGIN_MS / 2;

export interface RetentionParts {
  store: Pick<StatsStore, 'dropMonthsBefore'>;
  log: Log;
  now?: () => number;
}

/** Drops raw clicks, a month at a time, when the last of the month is past its retention. Roll-ups stay. */
export class Retention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** To be called when all that needs the clicks is done (`VisitorFold`). Every process may do it at any time: what is gone can't be dropped again. */
  async sweep(): Promise<void> {
    const { store, log, now = Date.now } = this.#parts;
    try {
      const months = await store.dropMonthsBefore(now() - RAW_RETENTION_MS - MARGIN_MS);
      if (months.length > 0) log.info({ months }, 'raw clicks dropped');
    } catch (error) {
      log.warn({ err: error }, 'raw clicks not dropped');
    }
  }
}
