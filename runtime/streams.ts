import { DiscardPolicy, nanos, RetentionPolicy, StorageType, type StreamConfig } from 'nats';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The streams of decisions 22. Whoever publishes to one makes it when it is missing. */
export type StreamName = 'INVALIDATIONS' | 'EVENTS' | 'CLICKS' | 'DEAD';

export const STREAMS: Record<StreamName, Partial<StreamConfig> & { subjects: string[] }> = {
  /** Only the newest of each subject matters: a pod that replays reads each object once. */
  INVALIDATIONS: {
    subjects: ['inv.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(HOUR),
    max_bytes: 256 * 1024 * 1024,
    max_msgs_per_subject: 1,
    max_msg_size: 16 * 1024,
    allow_direct: true,
    duplicate_window: nanos(2 * MINUTE),
  },
  /** A full stream refuses, the event stays in its outbox: overflow is never a silent loss (security.md N5). */
  EVENTS: {
    subjects: ['evt.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(7 * DAY),
    max_bytes: 1024 * 1024 * 1024,
    max_msg_size: 64 * 1024,
    duplicate_window: nanos(2 * MINUTE),
  },
  /** Work for the stats service: a message goes when it is acknowledged. A full stream refuses, the pod spools. */
  CLICKS: {
    subjects: ['click.*'],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(7 * DAY),
    max_bytes: 4 * 1024 * 1024 * 1024,
    max_msg_size: 1024 * 1024,
    duplicate_window: nanos(10 * MINUTE),
  },
  /** What could not be processed, with its reason in the headers, for people to look at. */
  DEAD: {
    subjects: ['dead.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(30 * DAY),
    max_bytes: 256 * 1024 * 1024,
    max_msg_size: 1024 * 1024 + 1024,
    duplicate_window: nanos(2 * MINUTE),
  },
};

/** Parts of the click stream; each has one active consumer at a time. Never changed without draining the stream. */
export const CLICK_PARTITIONS = 4;

export function clickSubject(partition: number): string {
  return `click.${partition}`;
}

/** How often the relay says that nothing is left unpublished, and after what silence a reader no longer trusts it. */
export const BEAT_EVERY_MS = 200;
export const BEAT_LOST_MS = 400;

/** Decisions 22 names `inv.beat`; the source is a token of its own, so that one's beat never replaces another's. */
export function beatSubject(source: string): string {
  return `inv.beat.${source}`;
}
