import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../runtime/log.js';
import { ulid } from '../../runtime/ulid.js';
import type { SealedBatch } from './click-batch.js';
import { decodeRecords, encodeRecord } from './spool-record.js';

export interface ClickSpoolOptions {
  /** Of one process at a time. */
  directory: string;
  maxBytes: number;
  /** A new file is begun after so many; a file is deleted whole, once all of it is acknowledged. */
  fileBytes?: number;
  log: Log;
}

interface SpoolFile {
  path: string;
  bytes: number;
  /** Batches of it that are acknowledged; only known to the process that sent them. */
  done: number;
}

const FILE_BYTES = 1024 * 1024;
/** A disk that hangs must not collect batches in memory. */
const MAX_WRITES = 16;
/** After a write that failed (a full disk). */
const PAUSE_MS = 1_000;
const REPLAY_WIDTH = 4;

/**
 * Batches that NATS did not take, in files, oldest first. Not synced: what a killed process wrote is there still, and a
 * machine that loses power loses the last seconds of an outage.
 */
export class ClickSpool {
  readonly #options: ClickSpoolOptions;
  #files: SpoolFile[] = [];
  #open: { file: SpoolFile; handle: FileHandle } | undefined;
  #bytes = 0;
  #writes = 0;
  /** All that touches the open file, one after the other. */
  #tail: Promise<unknown> = Promise.resolve();
  #pausedUntil = 0;

  constructor(options: ClickSpoolOptions) {
    this.#options = options;
  }

  /** Finds what an earlier process left. */
  async load(): Promise<void> {
    const { directory, log } = this.#options;
    try {
      await mkdir(directory, { recursive: true });
      // Names are ULIDs: their order is that of time.
      const names = (await readdir(directory)).filter((name) => name.endsWith('.clicks')).sort();
      for (const name of names) {
        const path = join(directory, name);
        const { size: bytes } = await stat(path);
        this.#files.push({ path, bytes, done: 0 });
        this.#bytes += bytes;
      }
    } catch (error) {
      log.warn({ err: error }, 'the spool of clicks is not readable');
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#files.length === 0;
  }

  /** False when it is full, or the disk does not keep up. */
  get hasRoom(): boolean {
    const { maxBytes } = this.#options;
    return this.#bytes < maxBytes && this.#writes < MAX_WRITES && performance.now() >= this.#pausedUntil;
  }

  /** @returns whether the batch is in a file now */
  async append(batch: SealedBatch): Promise<boolean> {
    const record = encodeRecord(batch);
    if (!this.hasRoom || this.#bytes + record.length > this.#options.maxBytes) return false;
    this.#bytes += record.length;
    this.#writes++;
    try {
      await this.#inTurn(() => this.#write(record));
      return true;
    } catch (error) {
      this.#bytes -= record.length;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#options.log.warn({ err: error }, 'clicks could not be spooled');
      // It may end in half a record, after which nothing could be read.
      await this.#inTurn(() => this.#close());
      return false;
    } finally {
      this.#writes--;
    }
  }

  /**
   * Publishes from the oldest on and deletes what is acknowledged, until nothing is left or one fails.
   * @returns whether all that was tried succeeded
   */
  async replay(publish: (batch: SealedBatch) => Promise<boolean>): Promise<boolean> {
    for (let file = this.#files[0]; file; file = this.#files[0]) {
      if (file === this.#open?.file) await this.#inTurn(() => this.#close());
      const batches = await this.#read(file);
      while (batches && file.done < batches.length) {
        const some = batches.slice(file.done, file.done + REPLAY_WIDTH);
        const taken = await Promise.all(some.map(publish));
        if (taken.includes(false)) return false;
        file.done += some.length;
      }
      if (batches) await rm(file.path, { force: true });
      this.#files.shift();
      this.#bytes -= file.bytes;
    }
    return true;
  }

  /** Undefined for a file that can't be read; it must not keep back the others. */
  async #read(file: SpoolFile): Promise<SealedBatch[] | undefined> {
    const { log } = this.#options;
    const { path } = file;
    const content = await readFile(path).catch((error: unknown) => {
      log.error({ err: error, path }, 'a spool file is not readable');
      return undefined;
    });
    if (!content) return undefined;
    const { batches, badBytes } = decodeRecords(content);
    if (badBytes > 0) log.warn({ path, badBytes }, 'part of a spool file is not readable');
    return batches;
  }

  async #write(record: Buffer): Promise<void> {
    if (this.#open && this.#open.file.bytes >= (this.#options.fileBytes ?? FILE_BYTES)) await this.#close();
    const { file, handle } = this.#open ?? (await this.#begin());
    await handle.appendFile(record);
    file.bytes += record.length;
  }

  async #begin(): Promise<{ file: SpoolFile; handle: FileHandle }> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true });
    const file = { path: join(directory, `${ulid()}.clicks`), bytes: 0, done: 0 };
    const handle = await open(file.path, 'a', 0o600);
    this.#open = { file, handle };
    this.#files.push(file);
    return this.#open;
  }

  async #close(): Promise<void> {
    const handle = this.#open?.handle;
    this.#open = undefined;
    await handle?.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  async stop(): Promise<void> {
    await this.#inTurn(() => this.#close());
  }
}
