import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommitGroup } from './commit-group.js';

/** A commit that the test ends by hand. */
interface Pending {
  items: readonly number[];
  alone: boolean;
  end(error?: Error): void;
}

function rig(maxLanes = 4, stalledMs = 60_000) {
  const pending: Pending[] = [];
  const group = new CommitGroup<number>({
    commit: (items, alone) =>
      new Promise((resolve, reject) => {
        pending.push({ items, alone, end: (error) => (error ? reject(error) : resolve()) });
      }),
    rolledBack: (error) => (error as Error).message !== 'unknown',
    maxSize: 8,
    stalledMs,
    maxLanes,
    maxWaiting: 100,
  });
  return { group, pending };
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('condition not met');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('group commit', () => {
  it('lets a lone caller go at once', () => {
    const { group, pending } = rig();
    void group.add(1);
    expect(pending).toMatchObject([{ items: [1], alone: true }]);
  });

  it('gathers callers while a commit is in flight, and takes them together when it ends', async () => {
    const { group, pending } = rig();
    const all = [1, 2, 3].map((item) => group.add(item));
    expect(pending.length).toBe(1);
    pending[0]!.end();
    await until(() => pending.length === 2);
    expect(pending[1]).toMatchObject({ items: [2, 3], alone: false });
    pending[1]!.end();
    await Promise.all(all);
  });

  it('tries a failed group one by one, so that one conflict is nobody else’s', async () => {
    const { group, pending } = rig();
    const first = group.add(0);
    const [good, bad] = [group.add(1), group.add(2)];
    pending[0]!.end();
    await first;
    await until(() => pending.length === 2);
    pending[1]!.end(new Error('duplicate'));
    await until(() => pending.length === 4);
    expect(pending.slice(2).map((each) => each.items)).toEqual([[1], [2]]);
    pending[2]!.end();
    pending[3]!.end(new Error('duplicate'));
    await good;
    await expect(bad).rejects.toThrow('duplicate');
  });

  it('does not try a group again whose outcome nobody knows: each caller is told so', async () => {
    const { group, pending } = rig();
    const first = group.add(0);
    const [a, b] = [group.add(1), group.add(2)];
    pending[0]!.end();
    await first;
    await until(() => pending.length === 2);
    pending[1]!.end(new Error('unknown'));
    await expect(a).rejects.toThrow('unknown');
    await expect(b).rejects.toThrow('unknown');
    expect(pending.length).toBe(2);
  });

  it('opens another lane past a commit that stalls, and no more lanes than allowed', async () => {
    const { group, pending } = rig(2, 5);
    void group.add(1);
    const second = group.add(2);
    await until(() => pending.length === 2);
    const third = group.add(3);
    // Lane 1 is stalled, lane 2 in flight: the third caller waits for lane 2 or for the limit.
    pending[1]!.end();
    await second;
    await until(() => pending.length === 3);
    pending[2]!.end();
    await third;
  });

  it('commits each item exactly once and answers each caller, whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.nat(3)),
        async (good, pauses) => {
          const committed: number[] = [];
          const group = new CommitGroup<number>({
            commit: async (items) => {
              for (let i = pauses.next().value as number; i > 0; i--) await Promise.resolve();
              if (items.some((item) => !good[item])) throw new Error('conflict');
              committed.push(...items);
            },
            rolledBack: () => true,
            maxSize: 7,
            stalledMs: 60_000,
            maxLanes: 3,
            maxWaiting: 100,
          });
          const outcomes = await Promise.allSettled(good.map((_, item) => group.add(item)));
          expect(outcomes.map((outcome) => outcome.status === 'fulfilled')).toEqual(good);
          expect(committed.sort((a, b) => a - b)).toEqual(good.flatMap((ok, item) => (ok ? [item] : [])));
        },
      ),
      { numRuns: 200 },
    );
  });
});
