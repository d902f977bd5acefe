import { Event } from '../../gen/proto/waypost/event/v1/event.js';
import { snapshotKey } from '../../model/snapshot.js';
import type { Log } from '../../runtime/log.js';
import type { Nats } from '../../runtime/nats.js';
import { StreamFollower } from '../../runtime/stream-follower.js';
import { beatSubject } from '../../runtime/streams.js';
import type { HostRegistry } from './hosts.js';
import type { HostsFile } from './hosts-file.js';
import type { LinkCache } from './link-cache.js';
import type { RedirectMetrics } from './redirect-metrics.js';
import type { RedirectStore } from './store.js';
import { Watch } from './watch.js';

export interface InvalidationOptions {
  cache: LinkCache;
  hosts: HostRegistry;
  hostsFile: HostsFile;
  store: RedirectStore;
  nats: Nats;
  metrics: RedirectMetrics;
  log: Log;
}

const LINK_BEAT = beatSubject('link');
const HOST_BEAT = beatSubject('domain');
const POLL_TIMEOUT_MS = 2_000;
/** More changes than these may not be readable in one poll's time, and then never would be. */
const MAX_WINDOW_MS = 30_000;

/** Keeps what this process holds in step with MongoDB: links one by one, the hosts as a whole. */
export class Invalidation {
  readonly #options: InvalidationOptions;
  readonly #links: Watch;
  readonly #hosts: Watch;
  readonly #follower: StreamFollower;

  constructor(options: InvalidationOptions) {
    const { cache, nats, log } = options;
    this.#options = options;
    this.#links = new Watch({
      name: 'links',
      poll: (ms) => this.#pollLinks(ms),
      onConfirm: (at) => cache.confirm(at),
      log,
    });
    this.#hosts = new Watch({ name: 'hosts', poll: () => this.#loadHosts(), log });
    this.#follower = new StreamFollower({
      nats,
      stream: 'INVALIDATIONS',
      subjects: ['inv.link.>', 'inv.host.>', 'inv.beat.>'],
      onMessage: (subject, data) => this.#take(subject, data),
      onGap: (reason) => this.#gap(reason),
      log,
    });
  }

  /** Resolves when the hosts have been read, or could not be. */
  async start(): Promise<void> {
    this.#follower.start();
    await Promise.all([this.#links.start(), this.#hosts.start()]);
  }

  /** True while changes arrive by the stream, and none was missed. */
  get following(): boolean {
    return this.#links.caughtUp && this.#hosts.caughtUp;
  }

  #take(subject: string, data: Uint8Array): void {
    const [, noun, groupId, code] = subject.split('.');
    if (subject === LINK_BEAT) this.#links.heard();
    else if (subject === HOST_BEAT) this.#hosts.heard();
    else if (noun === 'host') this.#hosts.doubt();
    else if (noun === 'link' && groupId && code) this.#changed(snapshotKey(groupId, code), data);
  }

  #changed(key: string, data: Uint8Array): void {
    const { cache, metrics } = this.#options;
    const event = decoded(data);
    if (!event) {
      // Its subject still says whose it is: what is held goes, and a poll finds out what changed.
      cache.drop(key);
      this.#links.doubt();
      return;
    }
    const { rev, occurredAt } = event;
    if (cache.invalidate(key, rev)) metrics.invalidated(Date.now() - (occurredAt?.getTime() ?? Date.now()));
  }

  #gap(reason: string): void {
    const { cache, log } = this.#options;
    log.info({ reason }, 'invalidations may have been missed');
    cache.distrust();
    this.#links.doubt();
    this.#hosts.doubt();
  }

  async #pollLinks(ms: number): Promise<void> {
    const { cache, store, metrics } = this.#options;
    // After a long absence it is cheaper to read again what visitors ask for than all that changed.
    if (ms > MAX_WINDOW_MS) cache.distrust();
    const window = Math.min(ms, MAX_WINDOW_MS);
    for await (const { groupId, shortCode, rev, age } of store.changedLinks(window, pollOptions())) {
      if (cache.invalidate(snapshotKey(groupId, shortCode), rev)) metrics.invalidated(age);
    }
  }

  /** Whole: the registry is small, and what was taken away leaves no row that says so. */
  async #loadHosts(): Promise<void> {
    const { hosts, hostsFile, store, log } = this.#options;
    const entries = await store.hosts(pollOptions());
    if (entries.length === 0 && hosts.size > 0) {
      // An empty registry is a fault of its source, not an order to serve nothing: the last good one stays (CH-23).
      log.error({ held: hosts.size }, 'the registry of hosts is empty: kept as it was');
      return;
    }
    hosts.replace(entries);
    await hostsFile.save(entries);
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
    await Promise.all([this.#links.stop(), this.#hosts.stop()]);
  }
}

function pollOptions() {
  return { maxTimeMS: POLL_TIMEOUT_MS, signal: AbortSignal.timeout(POLL_TIMEOUT_MS) };
}

function decoded(data: Uint8Array): Event | undefined {
  try {
    return Event.decode(data);
  } catch {
    return undefined;
  }
}
