import {
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  type IPolicy,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import type { Log } from '../../runtime/log.js';

/** A load that takes longer has failed: a hung MongoDB costs a visitor no more (CH-6). */
export const LOAD_TIMEOUT_MS = 200;
/** Loads at once, and waiting; beyond it the answer is the fallback, at once (K-6). */
export const MAX_LOADS = 50;
const MAX_WAITING = 200;
const BREAK_AFTER = 5;
const PROBE_AFTER_MS = 1_000;

/** What stands between visitors and MongoDB (K-6). Rejects what it does not let through. */
export function createLoadGuard(log: Log): IPolicy {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: PROBE_AFTER_MS,
    breaker: new ConsecutiveBreaker(BREAK_AFTER),
  });
  breaker.onBreak((reason) => log.warn({ err: 'error' in reason ? reason.error : undefined }, 'loads are stopped'));
  breaker.onReset(() => log.info('loads go on'));
  return wrap(bulkhead(MAX_LOADS, MAX_WAITING), breaker, timeout(LOAD_TIMEOUT_MS, TimeoutStrategy.Aggressive));
}
