import { ErrorCode, NatsError } from 'nats';
import type { Nats } from './nats.js';
import type { Work } from './stream-worker.js';
import type { StreamName } from './streams.js';

export interface Backlog {
  /** Messages that are not acknowledged yet, those in somebody's hands included. */
  waiting: number;
  /** The one that was published first; undefined when none waits, or when it has just gone. */
  oldest: Work | undefined;
}

/** What a durable consumer of a work queue has before it. @throws when NATS does not answer or has no such consumer */
export async function readBacklog(nats: Nats, stream: StreamName, durable: string, subject: string): Promise<Backlog> {
  const manager = await nats.manager();
  const info = await manager.consumers.info(stream, durable);
  const waiting = info.num_pending + info.num_ack_pending;
  if (waiting === 0) return { waiting, oldest: undefined };
  // In a work queue what is acknowledged is gone: the first that is left is the oldest that is not.
  const query = { seq: 1, next_by_subj: subject };
  const stored = await manager.streams.getMessage(stream, query).catch((error: unknown) => {
    if (error instanceof NatsError && error.code === ErrorCode.JetStream404NoMessages) return undefined;
    throw error;
  });
  return { waiting, oldest: stored && { data: stored.data, publishedAt: stored.time.getTime() } };
}
