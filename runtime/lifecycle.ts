import { setTimeout as delay } from 'node:timers/promises';
import { failureText, type Log } from './log.js';

export interface Stoppable {
  stop(): Promise<void>;
}

/** A part that has been started, with the name that the log and errors give it. */
interface Part {
  name: string;
  stop: () => Promise<void>;
}

/**
 * What one process has started. Parts stop in the reverse order, each even if another fails; a start that fails
 * half-way stops what it had begun.
 */
export class Lifecycle {
  readonly #parts: Part[] = [];
  readonly #log: Log;
  #stopping: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add<T extends Stoppable>(name: string, part: T): T {
    this.#parts.push({ name, stop: () => part.stop() });
    return part;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const part of this.#parts.reverse()) {
      try {
        await part.stop();
      } catch (error) {
        this.#log.error({ err: error, part: part.name }, 'did not stop cleanly');
      }
    }
  }
}

/**
 * Runs a composition root. What it answers gets a `stop` for all that it added; when it fails half-way, what it had
 * begun is stopped.
 */
export async function startParts<T extends object>(
  log: Log,
  start: (life: Lifecycle) => Promise<T>,
): Promise<T & Stoppable> {
  const life = new Lifecycle(log);
  try {
    return { ...(await start(life)), stop: () => life.stop() };
  } catch (error) {
    await life.stop();
    throw error;
  }
}

/** One that is asked to stop while it starts has this long to finish the start, so that it can stop in order. */
const START_GRACE_MS = 5_000;

/**
 * The body of every main.ts: start, stay until SIGINT, SIGTERM or `stop` is called, stop in order, exit 0. A failed start
 * prints why and exits 1; so does an error that nobody handles, since the state after it is unknown.
 */
export async function runMain(
  start: (stop: () => void) => Promise<Stoppable>,
  startGraceMs = START_GRACE_MS,
): Promise<void> {
  process.on('unhandledRejection', (reason) => {
    console.error(`unhandled rejection: ${failureText(reason)}`);
    process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    console.error(`uncaught exception: ${failureText(error)}`);
    process.exit(1);
  });
  let stop: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    stop = resolve;
  });
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    // A start may wait for a database that never comes.
    const running = await Promise.race([start(stop), asked.then(() => delay(startGraceMs, undefined))]);
    if (running) {
      await asked;
      await running.stop();
    }
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error && error.name === 'ConfigError' ? error.message : failureText(error));
    process.exit(1);
  }
}
