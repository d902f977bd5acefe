import { isbot } from 'isbot';

/** A click, encoded, with what decides whether it is dropped first, and whose loss it would be. */
export interface WaitingClick {
  tenantId: string;
  timeMs: number;
  userAgent: string;
  encoded: Uint8Array;
}

export type DropClass = 'bot' | 'other';

/** Clicks that are looked through for a bot at each drop; the next drop goes on from there. */
const MAX_JUDGED = 50;

/** Good enough to choose what is lost first; the stats service judges what is stored. */
export function dropClassOf({ userAgent }: { userAgent: string }): DropClass {
  return userAgent === '' || isbot(userAgent) ? 'bot' : 'other';
}

/** Clicks that wait for a batch, by partition. When it is full a bot goes, or else the newest. */
export class ClickRing {
  readonly #queues: WaitingClick[][];
  /** How many at the head of each queue are known to be no bots. */
  readonly #judged: number[];
  readonly #limit: number;
  readonly #onDrop: (click: WaitingClick, dropClass: DropClass) => void;
  #size = 0;

  constructor(partitions: number, limit: number, onDrop: (click: WaitingClick, dropClass: DropClass) => void) {
    this.#queues = Array.from({ length: partitions }, () => []);
    this.#judged = this.#queues.map(() => 0);
    this.#limit = limit;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#size;
  }

  waiting(partition: number): number {
    return this.#queues[partition]?.length ?? 0;
  }

  push(partition: number, click: WaitingClick): void {
    if (this.#size >= this.#limit) {
      // Nobody is judged before something must go.
      const bot = dropClassOf(click) === 'bot' ? click : this.#removeBot();
      this.#onDrop(bot ?? click, bot ? 'bot' : 'other');
      if (this.#size >= this.#limit) return;
    }
    this.#queues[partition]?.push(click);
    this.#size++;
  }

  /** The oldest of a partition, at most `count`. */
  take(partition: number, count: number): WaitingClick[] {
    const taken = this.#queues[partition]?.splice(0, count) ?? [];
    this.#judged[partition] = Math.max(0, (this.#judged[partition] ?? 0) - taken.length);
    this.#size -= taken.length;
    return taken;
  }

  #removeBot(): WaitingClick | undefined {
    let left = MAX_JUDGED;
    for (const [partition, queue] of this.#queues.entries()) {
      for (let i = this.#judged[partition] ?? 0; i < queue.length && left > 0; i++, left--) {
        const click = queue[i];
        this.#judged[partition] = i;
        if (click && dropClassOf(click) === 'bot') {
          queue.splice(i, 1);
          this.#size--;
          return click;
        }
        this.#judged[partition] = i + 1;
      }
    }
    return undefined;
  }
}
