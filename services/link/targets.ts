import { type RiskServiceService, RiskVerdict } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import { CANONICALISER_VERSION, parseTargetUrl } from '../../model/target-url.js';
import { AppError, isAppError, type Problem } from '../../runtime/app-error.js';
import type { Log } from '../../runtime/log.js';
import { enumName } from '../../runtime/proto-enum.js';
import type { CallFor, RpcClient } from '../../runtime/rpc-client.js';
import type { Target } from './link.js';

/** Asks the risk service. While it is away a well-formed target is stored, but not served until it is judged (S-3). */
export class Targets {
  readonly #risk: RpcClient<typeof RiskServiceService>;
  readonly #log: Log;

  constructor(risk: RpcClient<typeof RiskServiceService>, log: Log) {
    this.#risk = risk;
    this.#log = log;
  }

  /** @throws AppError with the reason and path [targetUrl] for a target that must not be stored */
  async judge(url: string, caller: CallFor): Promise<Target> {
    const target = await this.ask(url, caller).catch((error: unknown) => {
      if (isAppError(error, 'INVALID_ARGUMENT')) throw new AppError(error.kind, error.problems.map(onTarget));
      if (!isAppError(error, 'UNAVAILABLE') && !isAppError(error, 'DEADLINE_EXCEEDED')) throw error;
      this.#log.warn({ err: error }, 'risk service away: the target waits for its verdict');
      return unjudged(url);
    });
    if (target.risk.verdict === 'BLOCK') {
      const message = 'The risk check refuses this target.';
      throw new AppError('INVALID_ARGUMENT', { code: 'URL_BLOCKED', message, path: ['targetUrl'] });
    }
    return target;
  }

  /** The verdict as the risk service gives it. @throws AppError */
  async ask(url: string, caller: CallFor): Promise<Target> {
    const { canonicalUrl, verdict, reasons, flags } = await this.#risk.call('judgeUrl', { url }, caller);
    // A verdict that this build does not know is not one to serve by.
    const known = enumName(RiskVerdict, verdict) ?? 'REVIEW';
    const risk = { verdict: known, reasons, flags, at: new Date() };
    return { url: canonicalUrl, canonicaliser: CANONICALISER_VERSION, risk };
  }
}

function unjudged(url: string): Target {
  const parsed = parseTargetUrl(url);
  if (!parsed.ok) {
    const code = parsed.reason.toUpperCase();
    throw new AppError('INVALID_ARGUMENT', { code, message: parsed.message, path: ['targetUrl'] });
  }
  const { canonical, flags } = parsed.url;
  const risk = { verdict: 'PENDING' as const, reasons: ['not judged yet'], flags, at: new Date() };
  return { url: canonical, canonicaliser: CANONICALISER_VERSION, risk };
}

function onTarget(problem: Problem): Problem {
  return { ...problem, path: ['targetUrl'] };
}
