/** Where a server writes, and what of it belongs into the message when it does not start. */
import { type FileHandle, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const KEPT_BYTES = 8_000_000;
const TOLD_LINES = 8;
const TOLD_WIDTH = 500;

export class EngineLog {
  readonly path: string;
  private readonly file: FileHandle;
  private readonly start: number;

  private constructor(path: string, file: FileHandle, start: number) {
    this.path = path;
    this.file = file;
    this.start = start;
  }

  /** Opens `<dataDir>/log/<name>.log` at its end; a large one is put aside first, in place of the one put aside before. */
  static async open(dataDir: string, name: string): Promise<EngineLog> {
    const path = join(dataDir, 'log', `${name}.log`);
    await mkdir(join(dataDir, 'log'), { recursive: true, mode: 0o700 });
    const before = await stat(path).catch(() => undefined);
    if (before && before.size > KEPT_BYTES) await rename(path, `${path}.1`);
    const file = await open(path, 'a', 0o600);
    return new EngineLog(path, file, (await file.stat()).size);
  }

  get fd(): number {
    return this.file.fd;
  }

  /** Closes this process's handle; the server has its own. */
  close(): Promise<void> {
    return this.file.close();
  }

  async linesOfThisStart(): Promise<string[]> {
    const bytes = await readFile(this.path);
    return bytes.subarray(this.start).toString().trim().split('\n');
  }
}

/** The errors among the lines (mongod and nats-server mark them), else the last ones. */
export function tellingOf(lines: string[]): string[] {
  const errors = lines.filter((line) => /"s":"[EF]"|\[(ERR|FTL)\]/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-TOLD_LINES).map((line) => line.slice(0, TOLD_WIDTH));
}
