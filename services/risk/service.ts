import { readFile } from 'node:fs/promises';
import { DomainServiceService } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import { RiskServiceService } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { type Lifecycle, startParts } from '../../runtime/lifecycle.js';
import { createLog, type Log } from '../../runtime/log.js';
import { createMetrics } from '../../runtime/metrics.js';
import { Mongo, whenReachable } from '../../runtime/mongo.js';
import { connectRpc } from '../../runtime/rpc-client.js';
import { type RunningService, serveRpc } from '../../runtime/rpc-service.js';
import type { RiskConfig } from './config.js';
import { type HostVerdict, parseHostList } from './host-list.js';
import { Judge } from './judge.js';
import { OwnHosts } from './own-hosts.js';
import { riskHandlers } from './server.js';
import { RiskStore } from './store.js';

/** Judges targets: what may be stored, and what visitors are shown before they follow it. */
export function startRisk(config: RiskConfig): Promise<RunningService> {
  const log = createLog('risk', config.process.logLevel);
  return startParts(log, (life) => build(config, life, log));
}

async function build(config: RiskConfig, life: Lifecycle, log: Log) {
  const metrics = createMetrics('risk');
  const mongo = life.add('mongodb', new Mongo({ ...config.mongo, appName: 'waypost-risk' }));
  const domain = connectRpc(DomainServiceService, {
    address: config.domainAddress,
    name: 'The domain service',
    idempotent: ['matchHosts'],
    timeouts: config.rpc.timeouts,
    tls: config.rpc.tls,
  });
  life.add('domain client', { stop: async () => domain.close() });
  const store = new RiskStore(mongo);
  const list = await readLists(config.hostListFile);
  await whenReachable(log, () => store.replaceList(list));

  const judge = new Judge(store, new OwnHosts(domain));
  const readiness = async () => ({ mongodb: await mongo.ping() });
  return serveRpc(life, RiskServiceService, riskHandlers(judge), { ...config, log, metrics, readiness });
}

/** The list that ships and the operator's own; where both name a host, the operator's holds. */
async function readLists(file: string | undefined): Promise<HostVerdict[]> {
  const shipped = new URL('./host-list.txt', import.meta.url);
  const texts = await Promise.all([shipped, ...(file ? [file] : [])].map((each) => readFile(each, 'utf8')));
  const byHost = new Map(texts.flatMap(parseHostList).map((entry) => [entry.host, entry]));
  return [...byHost.values()];
}
