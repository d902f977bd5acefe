import DataLoader from 'dataloader';
import type { Collection } from 'mongodb';
import type { Mongo } from '../../runtime/mongo.js';
import type { HostVerdict } from './host-list.js';

type HostDocument = Omit<HostVerdict, 'host'> & { _id: string; source: 'file' };

export class RiskStore {
  readonly #hosts: Collection<HostDocument>;
  /** Look-ups of one tick go as one query; nothing is kept, so a new entry holds at once. */
  readonly #byHost: DataLoader<string, HostVerdict | undefined>;

  constructor(mongo: Mongo) {
    this.#hosts = mongo.db.collection('risk_hosts');
    this.#byHost = new DataLoader((hosts) => this.#find(hosts), { cache: false, maxBatchSize: 1_000 });
  }

  /** Entries for these exact names. */
  async verdicts(names: readonly string[]): Promise<HostVerdict[]> {
    const found = await Promise.all(names.map((name) => this.#byHost.load(name)));
    return found.filter((entry) => entry !== undefined);
  }

  /** Makes the stored list what the files say. */
  async replaceList(entries: readonly HostVerdict[]): Promise<void> {
    const hosts = entries.map((entry) => entry.host);
    await this.#hosts.deleteMany({ source: 'file', _id: { $nin: hosts } });
    if (entries.length === 0) return;
    await this.#hosts.bulkWrite(
      entries.map(({ host, verdict, reason }) => ({
        replaceOne: { filter: { _id: host }, replacement: { verdict, reason, source: 'file' }, upsert: true },
      })),
    );
  }

  async #find(names: readonly string[]): Promise<(HostVerdict | undefined)[]> {
    const documents = await this.#hosts.find({ _id: { $in: [...new Set(names)] } }).toArray();
    const byName = new Map(documents.map(({ _id, verdict, reason }) => [_id, { host: _id, verdict, reason }]));
    return names.map((name) => byName.get(name));
  }
}
