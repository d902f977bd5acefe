import { type HostEntry, hostFromHeader } from '../../model/host.js';

/** Spellings of known hosts (upper case, with a port) that are remembered. */
const MAX_SPELLINGS = 1_000;

/**
 * Every host that is served, whole, in memory: a request is routed without asking anybody. Each load replaces all of it,
 * so that a host that was taken away is gone too.
 */
export class HostRegistry {
  #byName: ReadonlyMap<string, HostEntry> = new Map();
  #bySpelling = new Map<string, HostEntry>();
  #loaded = false;

  get size(): number {
    return this.#byName.size;
  }

  /**
   * @param header the value of the Host header as it was sent
   * @returns `not-loaded` until hosts have come from MongoDB or the disk: "unknown" would be a guess
   */
  find(header: string): HostEntry | 'malformed' | 'unknown' | 'not-loaded' {
    const seen = this.#bySpelling.get(header);
    if (seen) return seen;
    const hostname = hostFromHeader(header);
    if (hostname === undefined) return 'malformed';
    const entry = this.#byName.get(hostname);
    if (!entry) return this.#loaded ? 'unknown' : 'not-loaded';
    // Only names of ours get in, so strangers can't fill it but with ports; then it starts anew.
    if (this.#bySpelling.size >= MAX_SPELLINGS) this.#bySpelling = new Map();
    this.#bySpelling.set(header, entry);
    return entry;
  }

  replace(entries: readonly HostEntry[]): void {
    this.#byName = new Map(entries.map((entry) => [entry.hostname, Object.freeze(entry)]));
    this.#bySpelling = new Map();
    this.#loaded = true;
  }
}
