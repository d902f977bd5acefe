/**
 * One server as a child that dies with its parent, even when the parent is killed with -9: a small shell guards it and holds a pipe
 * to the parent. When the pipe closes, the guard ends the server. Guard and server have a session of their own, so that a Ctrl-C
 * in the terminal does not reach them: they are stopped in order, after what uses them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { ended, endOrphan } from './engine-claim.js';
import { EngineLog, tellingOf } from './engine-log.js';
import { isFree } from './engine-port.js';

/**
 * $1 is the pid file, the rest the command. The server gets neither the pipe (fd 3) nor the guard's stdout, which tells its pid.
 * The watcher reads the pipe, where nothing is ever written, so `read` returns when the parent closed it or died. Then TERM; CONT,
 * so that a stopped server sees it; and KILL after 10 s. A server that ends by itself takes the watcher with it.
 */
const GUARD = `
f=$1; shift
"$@" >&2 3<&- & p=$!
echo $p >"$f"; echo $p; exec >&-
{ read x <&3; kill $p; kill -CONT $p; for x in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done; kill -KILL $p; } 2>/dev/null & w=$!
wait $p; s=$?
kill $w 2>/dev/null
exit $s`;
const READY_WITHIN_MS = 30_000;
const ENDED_WITHIN_MS = 15_000;

/** How a server is run: its command, and a wait until it can be used, which rejects when the signal aborts. */
export interface EnginePlan {
  command: [string, ...string[]];
  ready: (signal: AbortSignal) => Promise<void>;
}

export interface EngineSpec {
  /** Names the log and the pid file. */
  name: string;
  dataDir: string;
  /** What belongs to this server alone; an argument of its command names it, by which a later start knows it again. */
  dir: string;
  /** On 127.0.0.1. */
  port: number;
  plan: EnginePlan;
  /** Is told when the server ends although none of `stop`, `restart` and `kill` asked it to. */
  onExit?: ((name: string, how: string) => void) | undefined;
}

/** A server that did not become ready; the message ends with the telling lines of its log. */
export class EngineStartError extends Error {
  /** The start can be tried again on another port. */
  readonly portTaken: boolean;

  constructor(message: string, portTaken: boolean) {
    super(message);
    this.portTaken = portTaken;
  }
}

export class EngineProcess {
  readonly name: string;
  readonly port: number;
  private readonly spec: EngineSpec;
  private enginePid = 0;
  private pipe: Duplex | undefined;
  private exited: Promise<string> = Promise.resolve('never started');
  private reports = false;

  private constructor(spec: EngineSpec) {
    this.spec = spec;
    this.name = spec.name;
    this.port = spec.port;
  }

  /** Starts a server and waits until it is ready. @throws EngineStartError */
  static async start(spec: EngineSpec): Promise<EngineProcess> {
    const engine = new EngineProcess(spec);
    await engine.launch();
    return engine;
  }

  /** Of the server itself, not of its guard. */
  get pid(): number {
    return this.enginePid;
  }

  /** Sends the server a signal. An end that follows from it counts as asked for. */
  kill(signal: NodeJS.Signals): void {
    if (!this.pipe) throw new Error(`${this.name} does not run`);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') this.reports = false;
    process.kill(this.enginePid, signal);
  }

  /** Starts it on the same port and data, after ending it if it still runs; ready when resolved. */
  async restart(): Promise<void> {
    await this.stop();
    await this.launch();
  }

  /** Ends the server in order, after 10 s by force; resolves when it is gone. */
  async stop(): Promise<void> {
    this.reports = false;
    this.pipe?.destroy();
    await this.exited;
  }

  private async launch(): Promise<void> {
    const { name, port, dataDir, dir, plan } = this.spec;
    const pidFile = join(dataDir, 'run', `${name}.pid`);
    await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
    await endOrphan(pidFile, dir);
    // Else the server that has the port would be taken for ours.
    if (!(await isFree(port))) throw new EngineStartError(`${name} did not start: port ${port} is taken`, true);

    const log = await EngineLog.open(dataDir, name);
    const guard = spawn('sh', ['-c', GUARD, 'engine-guard', pidFile, ...plan.command], {
      cwd: dir,
      detached: true,
      env: Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('WAYPOST_'))),
      stdio: ['ignore', 'pipe', log.fd, 'pipe'],
    });
    await once(guard, 'spawn').finally(() => log.close());
    this.pipe = guard.stdio[3] as Duplex;
    const exit = once(guard, 'exit');
    const [told] = await Promise.race([once(guard.stdout!, 'data'), exit.then(() => [])]);
    if (!told) throw new EngineStartError(`${name} did not start: its guard ended, see ${log.path}`, false);
    this.enginePid = Number(told);

    const gone = new AbortController();
    this.exited = exit.then(async ([code]) => {
      const how = describeExit(code);
      this.pipe?.destroy();
      this.pipe = undefined;
      // Only when the guard itself was killed is the server still there now.
      if (await ended(this.enginePid, ENDED_WITHIN_MS)) await rm(pidFile, { force: true });
      gone.abort(new Error(`ended with ${how}`));
      if (this.reports) this.spec.onExit?.(name, how);
      return how;
    });

    const tooLong = AbortSignal.timeout(READY_WITHIN_MS);
    try {
      await plan.ready(AbortSignal.any([gone.signal, tooLong]));
      gone.signal.throwIfAborted();
      this.reports = true;
    } catch (error) {
      await this.stop();
      const why = tooLong.aborted ? `was not ready within ${READY_WITHIN_MS / 1000} s` : (error as Error).message;
      const lines = await log.linesOfThisStart();
      throw new EngineStartError(
        [`${name} ${why}. From ${log.path}:`, ...tellingOf(lines)].join('\n  '),
        lines.some((line) => /address already in use/i.test(line)),
      );
    }
  }
}

/** What a shell tells of the end of its child. */
function describeExit(code: number | null): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - 128)?.[0];
  return signal ?? `exit code ${code}`;
}
