import DataLoader from 'dataloader';
import type { DomainServiceService } from '../../gen/proto/waypost/domain/v1/domain_service.js';
import type { CallFor, RpcClient } from '../../runtime/rpc-client.js';

/**
 * Asks the domain service which hosts are short domains of this platform. Questions of one tick go as one call and
 * nothing is kept: a host that was registered a moment ago is known.
 */
export class OwnHosts {
  readonly #domain: RpcClient<typeof DomainServiceService>;
  readonly #loader: DataLoader<{ host: string; caller: CallFor }, boolean>;

  constructor(domain: RpcClient<typeof DomainServiceService>) {
    this.#domain = domain;
    this.#loader = new DataLoader(
      async (questions) => {
        const hostnames = [...new Set(questions.map(({ host }) => host))];
        // Any of the callers will do: the answer is the same for all tenants. The most patient one, not to fail others.
        const caller = questions.reduce((a, b) => (b.caller.deadline > a.caller.deadline ? b : a)).caller;
        const own = new Set((await domain.call('matchHosts', { hostnames, origins: [] }, caller)).hostnames);
        return questions.map(({ host }) => own.has(host));
      },
      { cache: false, maxBatchSize: 500 },
    );
  }

  /** @throws AppError UNAVAILABLE */
  has(host: string, caller: CallFor): Promise<boolean> {
    return this.#loader.load({ host, caller });
  }

  /** Whether short URLs of ours begin so: on one machine `http://localhost:8080`, a host that is nobody's by its name. */
  async hasOrigin(origin: string, caller: CallFor): Promise<boolean> {
    return (await this.#domain.call('matchHosts', { hostnames: [], origins: [origin] }, caller)).origins.length > 0;
  }
}
