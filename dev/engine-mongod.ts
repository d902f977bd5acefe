/**
 * mongod as a one-member replica set: transactions and change streams need one. Loopback alone and without network compression
 * (the wheel's 6.0.5 is in the range of CVE-2025-14847).
 */
import { type Document, MongoClient } from 'mongodb';
import { accepts, until } from './engine-port.js';
import type { EnginePlan } from './engine-process.js';

const SET = 'waypost';
const NOT_YET_INITIALIZED = 94;

/** @param testCommands whether it accepts `configureFailPoint` */
export function planMongod(binary: string, dir: string, port: number, testCommands: boolean): EnginePlan {
  const parameters = {
    transactionLifetimeLimitSeconds: 5,
    // Work that the only member of a loopback set has no use for: diagnostics each second, waiting for another to take over.
    diagnosticDataCollectionEnabled: false,
    shutdownTimeoutMillisForSignaledShutdown: 100,
    enableTestCommands: testCommands ? 1 : 0,
  };
  const command: EnginePlan['command'] = [
    binary,
    ...['--dbpath', dir, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', SET, '--oplogSize', '256', '--wiredTigerCacheSizeGB', '0.5'],
    ...['--networkMessageCompressors', 'disabled', '--noscripting', '--quiet'],
    ...Object.entries(parameters).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ];
  return { command, ready: (signal) => primary(dir, port, signal) };
}

/** By discovery and not `directConnection`, so that a driver waits for the primary over a restart as it would in production. */
export function mongodUrl(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=${SET}`;
}

/** Resolves when the server on the port is ours and a writable primary under its present address. */
async function primary(dir: string, port: number, signal: AbortSignal): Promise<void> {
  await until(() => accepts(port), signal);
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, { connectTimeoutMS: 2000 });
  const admin = client.db('admin');
  try {
    await until(async () => {
      const options = await admin.command({ getCmdLineOpts: 1 });
      if (options.parsed?.storage?.dbPath !== dir) throw new Error('another server answers');
      const hello = await admin.command({ hello: 1 });
      if (hello.isWritablePrimary && hello.me === `127.0.0.1:${port}`) return true;
      await configure((command) => admin.command(command), port);
      return false;
    }, signal);
  } finally {
    await client.close();
  }
}

/** Makes the server the one member of its set; with data from an earlier start, gives the member its new port. */
async function configure(command: (command: Document) => Promise<Document>, port: number): Promise<void> {
  const host = `127.0.0.1:${port}`;
  const current = await command({ replSetGetConfig: 1 }).catch((error) => {
    if (error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  });
  if (!current) {
    await command({ replSetInitiate: { _id: SET, members: [{ _id: 0, host }] } });
  } else if (current.config.members[0].host !== host) {
    const config = { ...current.config, version: current.config.version + 1 };
    config.members = [{ ...current.config.members[0], host }];
    // The old address leads to nobody, so there is no primary to ask: hence by force.
    await command({ replSetReconfig: config, force: true });
  }
}
