import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  /** On 127.0.0.1. */
  port: number;
  connections: number;
  /** The bytes of the next request. */
  next: () => Buffer;
  /** Any other status counts as unexpected. */
  status: number;
}

export interface LoadSample {
  answers: number;
  /** Of them, with another status than the expected. */
  unexpected: number;
  seconds: number;
  p50Us: number;
  p99Us: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const BUFFER_BYTES = 64 * 1024;
/** Latencies are counted in steps of 10 µs; from 2 s on they count as 2 s. */
const STEP_US = 10;
const STEPS = 200_000;

/**
 * A closed loop over keep-alive connections: each sends its next request when it has the whole answer to the one before.
 * On a CPU of its own it keeps one nginx worker busy, as wrk does; the column `busy` of a table tells whether it did.
 */
export class Load {
  readonly #options: LoadOptions;
  readonly #latencies = new Uint32Array(STEPS);
  readonly #waiting = new Set<Socket>();
  #answers = 0;
  #unexpected = 0;
  #ending = false;
  #onIdle: () => void = () => undefined;
  #failure: Error | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
    for (let i = 0; i < options.connections; i++) this.#open();
  }

  /** Answers since the beginning, those with an unexpected status too. */
  get answers(): number {
    return this.#answers;
  }

  get unexpected(): number {
    return this.#unexpected;
  }

  /** What happens from now on for so long. @throws when a connection failed */
  async measure(ms: number): Promise<LoadSample> {
    this.#latencies.fill(0);
    const [answers, unexpected, began] = [this.#answers, this.#unexpected, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (this.#failure) throw this.#failure;
    return {
      answers: this.#answers - answers,
      unexpected: this.#unexpected - unexpected,
      seconds: (performance.now() - began) / 1_000,
      p50Us: this.#percentile(0.5),
      p99Us: this.#percentile(0.99),
    };
  }

  /** Resolves when the last answers have come. */
  async stop(): Promise<void> {
    this.#ending = true;
    if (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  }

  #open(): void {
    const { port, next } = this.#options;
    const answer = new AnswerReader();
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    let sent = 0;
    const send = (): void => {
      sent = performance.now();
      socket.write(next());
    };
    const callback = (bytes: number): boolean => {
      const status = answer.take(buffer.subarray(0, bytes));
      if (status === undefined) return true;
      this.#count(status, performance.now() - sent);
      if (this.#ending) this.#close(socket);
      else send();
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    this.#waiting.add(socket);
    socket.once('connect', send);
    socket.once('error', (error) => this.#fail(socket, error));
    socket.once('close', () => {
      if (this.#waiting.has(socket)) this.#fail(socket, new Error('the server closed a connection'));
    });
  }

  #count(status: number, ms: number): void {
    this.#answers++;
    if (status !== this.#options.status) this.#unexpected++;
    const step = Math.min(STEPS - 1, Math.floor((ms * 1_000) / STEP_US));
    this.#latencies[step] = (this.#latencies[step] ?? 0) + 1;
  }

  #fail(socket: Socket, error: Error): void {
    this.#failure ??= error;
    this.#close(socket);
  }

  #close(socket: Socket): void {
    this.#waiting.delete(socket);
    socket.destroy();
    if (this.#waiting.size === 0) this.#onIdle();
  }

  #percentile(share: number): number {
    const total = this.#latencies.reduce((sum, count) => sum + count, 0);
    let left = Math.ceil(total * share);
    for (const [step, count] of this.#latencies.entries()) {
      left -= count;
      if (left <= 0) return step * STEP_US;
    }
    return STEPS * STEP_US;
  }
}

/** Finds the end of an answer with a Content-Length; one without it counts as having no body. */
export class AnswerReader {
  #status = 0;
  /** Of the body, still to come; undefined before the end of the head. */
  #left: number | undefined;
  #head = Buffer.alloc(0);

  /** The status when the answer is whole. */
  take(chunk: Buffer): number | undefined {
    if (this.#left !== undefined) return this.#body(chunk.length);
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      // A copy: the buffer behind the chunk is used again.
      this.#head = Buffer.from(bytes);
      return undefined;
    }
    this.#head = Buffer.alloc(0);
    const head = bytes.toString('latin1', 0, end);
    this.#status = Number(head.slice(9, 12));
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return this.#body(bytes.length - end - HEAD_END.length);
  }

  #body(bytes: number): number | undefined {
    this.#left = (this.#left ?? 0) - bytes;
    if (this.#left > 0) return undefined;
    this.#left = undefined;
    return this.#status;
  }
}
