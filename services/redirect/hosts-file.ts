import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { HostEntry } from '../../model/host.js';
import type { Log } from '../../runtime/log.js';

/** Grows when an older build could not read the file; a file of another format counts as absent. */
const FORMAT = 1;

const FILE = z.object({
  format: z.literal(FORMAT),
  savedAt: z.string(),
  hosts: z.array(
    z.object({
      hostname: z.string(),
      domainId: z.string(),
      tenantId: z.string(),
      groupId: z.string(),
      codeCase: z.enum(['SENSITIVE', 'FOLDED']),
      rev: z.number(),
    }),
  ),
});

/** The last resort (F-4): what a pod that starts while MongoDB is away knows of its hosts. */
export class HostsFile {
  readonly #directory: string;
  readonly #path: string;
  readonly #log: Log;
  #saved = '';

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#path = join(directory, 'hosts.json');
    this.#log = log;
  }

  /** Undefined when there is no file that this build can read. */
  async load(): Promise<HostEntry[] | undefined> {
    const text = await readFile(this.#path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return FILE.parse(JSON.parse(text)).hosts;
    } catch (error) {
      this.#log.warn({ err: error, path: this.#path }, 'the file of hosts is not readable');
      return undefined;
    }
  }

  /** Replaces the file whole, so that a pod killed meanwhile leaves the old one. A failure costs only the last resort. */
  async save(hosts: readonly HostEntry[]): Promise<void> {
    const content = JSON.stringify(hosts);
    if (content === this.#saved) return;
    const temporary = `${this.#path}.${randomUUID()}`;
    try {
      await mkdir(this.#directory, { recursive: true });
      await writeFile(temporary, JSON.stringify({ format: FORMAT, savedAt: new Date(), hosts }));
      await rename(temporary, this.#path);
      this.#saved = content;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      this.#log.warn({ err: error, path: this.#path }, 'the hosts could not be saved');
    }
  }
}
