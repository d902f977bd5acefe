import { formatLinkId } from '../../model/link-id.js';
import { isAppError } from '../../runtime/app-error.js';
import type { DerivedKey } from '../../runtime/keys.js';
import type { Lease } from '../../runtime/lease.js';
import type { Log } from '../../runtime/log.js';
import type { Effect } from '../../runtime/outbox.js';
import { type CallerContext, signContext } from '../../runtime/rpc-context.js';
import { linkEvent, originOf } from './events.js';
import type { Link, Risk } from './link.js';
import type { LinkStore } from './store.js';
import type { Targets } from './targets.js';

export interface RejudgeOptions {
  store: LinkStore;
  targets: Targets;
  effects: readonly Effect[];
  contextKeys: readonly DerivedKey[];
  lease: Lease;
  log: Log;
}

const EVERY_MS = 1_000;
const BATCH = 100;
const DEADLINE_MS = 5_000;

/** Links that were stored while the risk service was away get their verdict when it is back. */
export class Rejudge {
  readonly #options: RejudgeOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: RejudgeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#tick().finally(() => {
        if (!this.#stopped) this.start();
      });
    }, EVERY_MS);
  }

  async #tick(): Promise<void> {
    const { store, lease, log } = this.#options;
    if (!lease.held) return;
    try {
      for (const link of await store.unjudged(BATCH)) {
        // One that can't be judged must not hold up those behind it; without the risk service none can.
        await this.#judge(link).catch((error: unknown) => {
          if (isAppError(error, 'UNAVAILABLE') || isAppError(error, 'DEADLINE_EXCEEDED')) throw error;
          log.warn({ err: error, link: formatLinkId(link.id) }, 'link not judged');
        });
      }
    } catch (error) {
      log.debug({ err: error }, 'targets still wait for their verdicts');
    }
  }

  /** A link that changed meanwhile is left to the next round. */
  async #judge(before: Link): Promise<void> {
    const { store, effects } = this.#options;
    const context = systemContext(before.tenantId);
    const risk = await this.#verdict(before, context);
    const after: Link = { ...before, target: { ...before.target, risk }, rev: before.rev + 1 };
    const row = linkEvent('link.risk_changed', before, after, originOf(context), effects);
    await store.update({ before, after, row });
  }

  async #verdict(link: Link, context: CallerContext): Promise<Risk> {
    const { targets, contextKeys } = this.#options;
    const caller = { token: signContext(context, contextKeys), deadline: Date.now() + DEADLINE_MS };
    try {
      return (await targets.ask(link.target.url, caller)).risk;
    } catch (error) {
      if (!isAppError(error, 'INVALID_ARGUMENT')) throw error;
      return { verdict: 'BLOCK', reasons: [error.code.toLowerCase()], flags: [], at: new Date() };
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }
}

function systemContext(tenantId: string): CallerContext {
  const actor = { id: 'link', kind: 'SYSTEM' as const, name: 'link' };
  return { tenantId, actor, scopes: [], policyVersion: 0, clientIp: '', traceId: '', source: 'RISK' };
}
