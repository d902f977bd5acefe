import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { ClientAddress } from '../../runtime/client-address.js';
import type { Lifecycle } from '../../runtime/lifecycle.js';
import type { Log } from '../../runtime/log.js';
import type { Nats } from '../../runtime/nats.js';
import { ClickMaker } from './click-maker.js';
import { ClickMetrics } from './click-metrics.js';
import { ClickSender } from './click-sender.js';
import { ClickSpool } from './click-spool.js';
import { Clicks } from './clicks.js';
import type { RedirectConfig } from './config.js';
import { Countries } from './country.js';
import type { RedirectStore } from './store.js';
import { VisitorSalts } from './visitor-salts.js';

interface Parts {
  store: RedirectStore;
  nats: Nats;
  registry: Registry;
  log: Log;
}

/** The way of a click, from its end: NATS or the spool, the sender, the batches. It waits for neither NATS nor MongoDB. */
export async function startClicks(config: RedirectConfig, life: Lifecycle, parts: Parts): Promise<Clicks> {
  const { store, nats, registry, log } = parts;
  const metrics = new ClickMetrics(registry);
  const spool = new ClickSpool({ directory: join(config.dataDir, 'spool'), maxBytes: config.spoolBytes, log });
  await spool.load();
  metrics.watchSpool(() => spool.bytes);
  const salts = life.add('salts', new VisitorSalts(store, log));
  salts.start();
  const clients = new ClientAddress(config.trustedProxies);
  const maker = new ClickMaker({ clients, countries: await Countries.open(), salts });
  const sender = new ClickSender({ nats, spool, metrics, log });
  sender.start();
  const clicks = life.add('clicks', new Clicks({ maker, sender, metrics, log }));
  clicks.start();
  return clicks;
}
