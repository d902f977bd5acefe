import { unavailable } from '../../runtime/app-error.js';

/**
 * Group commit (decisions 6): while one group's transaction is in flight the next callers gather, and go together when
 * it ends. No timer: a lone caller goes at once. One caller's conflict is never another's: a group that was rolled back is
 * tried again one by one; one whose outcome nobody knows is not, or it might be made twice. A transaction that stalls opens a second lane, so that it holds up nobody but its own callers.
 */
export interface CommitGroupOptions<T> {
  /** Commits all of these or none; `alone` when there is only one, or when a group has failed. */
  commit: (items: readonly T[], alone: boolean) => Promise<void>;
  /** Whether an error says that nothing of its group was committed. */
  rolledBack: (error: unknown) => boolean;
  maxSize: number;
  /** After so long without an end a lane counts as stalled. */
  stalledMs: number;
  maxLanes: number;
  /** Callers that may wait; the next is refused at once. */
  maxWaiting: number;
}

interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class CommitGroup<T> {
  readonly #options: CommitGroupOptions<T>;
  #waiting: Waiting<T>[] = [];
  #lanes = 0;
  /** Lanes that have not ended in time; they don't keep the next group waiting. */
  #stalled = 0;

  constructor(options: CommitGroupOptions<T>) {
    this.#options = options;
  }

  /** Resolves when the item is committed; rejects with its own failure only. */
  add(item: T): Promise<void> {
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(unavailable('The database'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    const { maxSize, maxLanes, stalledMs } = this.#options;
    if (this.#waiting.length === 0 || this.#lanes > this.#stalled || this.#lanes >= maxLanes) return;
    const group = this.#waiting.splice(0, maxSize);
    this.#lanes++;
    let late = false;
    const watch = setTimeout(() => {
      late = true;
      this.#stalled++;
      this.#next();
    }, stalledMs);
    void this.#run(group).finally(() => {
      clearTimeout(watch);
      this.#lanes--;
      if (late) this.#stalled--;
      this.#next();
    });
  }

  async #run(group: readonly Waiting<T>[]): Promise<void> {
    const { commit, rolledBack } = this.#options;
    const items = group.map(({ item }) => item);
    const alone = group.length === 1;
    try {
      await commit(items, alone);
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (alone || !rolledBack(error)) for (const { reject } of group) reject(error);
      else await Promise.all(group.map(({ item, resolve, reject }) => commit([item], true).then(resolve, reject)));
    }
  }
}
