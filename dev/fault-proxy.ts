/**
 * A TCP proxy on loopback that fails as networks do, for tests. Memory is bounded: a lane that holds much stops reading.
 * TCP never loses bytes out of the middle of a stream, so a connection that `drop` took bytes from is reset when the fault changes.
 * (A driver that discovers servers goes around the proxy: for MongoDB use `directConnection=true` with its port.)
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Limits a fault to what goes to the server, or to its answers ("it was done, but nobody heard"). */
export type Direction = 'toServer' | 'toClient';

export type Fault =
  | { kind: 'none' }
  /** Everything comes later by `ms`; what is held is delivered at once when the fault changes. */
  | { kind: 'delay'; ms: number; only?: Direction }
  /** Half-open: connections are accepted and stay open, bytes and ends are swallowed. */
  | { kind: 'drop'; only?: Direction }
  /** Connections are reset, new ones too. */
  | { kind: 'reset' };

export interface FaultProxy {
  port: number;
  /** Bytes that the proxy has read, whatever it did with them: what a test waits for. */
  taken: Readonly<Record<Direction, number>>;
  setFault(fault: Fault): void;
  stop(): Promise<void>;
}

const HELD_BYTES = 1_000_000;

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' };
  const taken = { toServer: 0, toClient: 0 };
  const connections = new Set<Connection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (fault.kind === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const connection = new Connection(client, targetPort, { fault: () => fault, taken });
    connections.add(connection);
    void connection.closed.then(() => connections.delete(connection));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    taken,
    setFault(next) {
      fault = next;
      for (const connection of connections) connection.faultChanged();
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.reset();
      await closed;
    },
  };
}

/** What all lanes share. */
interface Line {
  fault(): Fault;
  taken: Record<Direction, number>;
}

class Connection {
  readonly closed: Promise<unknown>;
  private readonly client: Socket;
  private readonly upstream: Socket;
  private readonly lanes: Lane[];

  constructor(client: Socket, targetPort: number, line: Line) {
    this.client = client;
    this.upstream = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true, noDelay: true });
    this.lanes = [new Lane('toServer', client, this.upstream, line), new Lane('toClient', this.upstream, client, line)];
    this.closed = Promise.all(
      [client, this.upstream].map((side) => new Promise((resolve) => side.on('close', resolve))),
    );
  }

  faultChanged(): void {
    if (this.lanes.some((lane) => lane.isBroken())) this.reset();
    else for (const lane of this.lanes) lane.release();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.upstream.resetAndDestroy();
  }
}

/** One direction of a connection. */
class Lane {
  private readonly direction: Direction;
  private readonly from: Socket;
  private readonly to: Socket;
  private readonly line: Line;
  /** In order; one without bytes is the end. */
  private held: { due: number; bytes?: Buffer }[] = [];
  private heldBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private swallowed = false;

  constructor(direction: Direction, from: Socket, to: Socket, line: Line) {
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.line = line;
    from.on('data', (bytes: Buffer) => {
      line.taken[direction] += bytes.length;
      this.hold(bytes);
    });
    from.on('end', () => this.hold());
    from.on('error', () => {
      if (this.drops()) this.swallowed = true;
      else to.resetAndDestroy();
    });
    to.on('drain', () => this.throttle());
    to.on('close', () => {
      this.held = [];
      clearTimeout(this.timer);
    });
  }

  /** Has lost bytes, or must be cut, and cannot go on under the present fault. */
  isBroken(): boolean {
    return this.line.fault().kind === 'reset' || (this.swallowed && !this.drops());
  }

  /** Lets go of what waits for its time. */
  release(): void {
    for (const item of this.held) item.due = 0;
    this.deliver();
  }

  private drops(): boolean {
    const fault = this.line.fault();
    return fault.kind === 'drop' && (fault.only ?? this.direction) === this.direction;
  }

  private hold(bytes?: Buffer): void {
    const fault = this.line.fault();
    const delayed = fault.kind === 'delay' && (fault.only ?? this.direction) === this.direction;
    this.held.push({ due: delayed ? Date.now() + fault.ms : 0, bytes });
    this.heldBytes += bytes?.length ?? 0;
    this.deliver();
  }

  private deliver(): void {
    clearTimeout(this.timer);
    while (this.held[0] && this.held[0].due <= Date.now()) {
      const { bytes } = this.held.shift()!;
      this.heldBytes -= bytes?.length ?? 0;
      if (this.drops()) this.swallowed = true;
      else if (bytes) this.to.write(bytes);
      else this.to.end();
    }
    if (this.held[0]) this.timer = setTimeout(() => this.deliver(), this.held[0].due - Date.now());
    this.throttle();
  }

  private throttle(): void {
    if (this.heldBytes + this.to.writableLength > HELD_BYTES) this.from.pause();
    else this.from.resume();
  }
}
