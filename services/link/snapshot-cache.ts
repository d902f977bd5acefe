import { parseLinkId } from '../../model/link-id.js';
import { encodeSnapshot, snapshotKey, snapshotLifeMs } from '../../model/snapshot.js';
import type { Effect } from '../../runtime/outbox.js';
import type { Redis } from '../../runtime/redis.js';
import type { KeyedSnapshot } from './store/snapshot-view.js';

/**
 * Overwrites what Redis holds of changed links (K-7). Overwrites, never deletes: into an empty place a slow reader could
 * still put what it read before the change. Read from the database, so that whoever runs it writes the newest.
 */
export function cachingSnapshots(read: (ids: readonly bigint[]) => Promise<KeyedSnapshot[]>, redis: Redis): Effect {
  return {
    name: 'cache',
    async run(rows) {
      const ids = [...new Set(rows.map((row) => row.objectId))].map(parseLinkId).filter((id) => id !== undefined);
      const now = Date.now();
      const found = await read(ids);
      await Promise.all(
        found.map(({ groupId, shortCode, snapshot }) =>
          redis.setIfNotOlder(
            snapshotKey(groupId, shortCode),
            snapshot.rev,
            encodeSnapshot(snapshot),
            snapshotLifeMs(snapshot, now),
          ),
        ),
      );
    },
  };
}
