import type { RiskVerdict } from '../../model/link-status.js';
import { parseTargetUrl, type UrlFlag, type UrlReason } from '../../model/target-url.js';
import { AppError } from '../../runtime/app-error.js';
import type { CallFor } from '../../runtime/rpc-client.js';
import { listedNames, worst } from './host-list.js';
import type { OwnHosts } from './own-hosts.js';
import { SHORTENERS } from './shorteners.js';
import type { RiskStore } from './store.js';

export interface Judgement {
  /** What is stored, compared and sent to visitors. */
  canonicalUrl: string;
  verdict: Exclude<RiskVerdict, 'PENDING'>;
  /** Why the verdict is not ALLOW. */
  reasons: string[];
  flags: UrlFlag[];
}

/** The local checks of decisions 16: all that can be said of a target without asking the outside. */
export class Judge {
  readonly #store: RiskStore;
  readonly #ownHosts: OwnHosts;

  constructor(store: RiskStore, ownHosts: OwnHosts) {
    this.#store = store;
    this.#ownHosts = ownHosts;
  }

  /** @throws AppError INVALID_ARGUMENT with the reason as code and path [url], for what no verdict could allow */
  async judge(input: string, caller: CallFor): Promise<Judgement> {
    const parsed = parseTargetUrl(input);
    if (!parsed.ok) {
      // On one machine our own host is `localhost`: that it is ours says more than that it isn't public.
      if (parsed.reason === 'host_not_public' && (await this.#ownHosts.hasOrigin(originOf(input), caller))) {
        throw ownDomain(originOf(input));
      }
      throw refusal(parsed.reason, parsed.message);
    }
    const { canonical, host, flags } = parsed.url;
    const names = listedNames(host);
    const [own, entries] = await Promise.all([this.#ownHosts.has(host, caller), this.#store.verdicts(names)]);
    if (own) throw ownDomain(host);
    if (names.some((name) => SHORTENERS.has(name))) {
      throw refusal('nested_shortener', `${host} is a link shortener. Use the final target instead.`);
    }
    const listed = worst(entries);
    return {
      canonicalUrl: canonical,
      verdict: listed?.verdict ?? 'ALLOW',
      reasons: listed ? [`host_list: ${listed.host}${listed.reason ? ` (${listed.reason})` : ''}`] : [],
      flags,
    };
  }
}

/** Of what has passed the parser: only its host was not public. */
function originOf(input: string): string {
  return new URL(input.trim()).origin;
}

function ownDomain(what: string): AppError {
  return refusal('own_domain', `${what} is a short domain of this platform. Use the final target instead.`);
}

function refusal(reason: UrlReason, message: string): AppError {
  return new AppError('INVALID_ARGUMENT', { code: reason.toUpperCase(), message, path: ['url'] });
}
