import type { TimeSpan } from '../../model/time-span.js';
import type { Visitors } from './analytics/answer.js';
import type { Scope } from './store/scope.js';
import type { VisitorClicks } from './store/visitor-clicks.js';
import { DAY_MS, dayStart, type VisitorDays, WHOLE_TENANT } from './store/visitor-days.js';
import { SKETCH_ERROR, type VisitorSketches } from './visitor-sketches.js';

export interface VisitorsQuestion {
  tenantId: string;
  /** Undefined: the whole tenant. */
  linkIds: readonly string[] | undefined;
  /** [from, to), milliseconds since 1970. */
  from: number;
  to: number;
  /** HUMAN clicks of that scope and span, of the same snapshot. */
  human: number;
  /** Up to when clicks are known, milliseconds since 1970: a span that ends later has the running day whole. */
  asOf: number;
}

export interface VisitorsParts {
  clicks: Pick<VisitorClicks, 'count' | 'people'>;
  days: Pick<VisitorDays, 'read'>;
  sketches: Pick<VisitorSketches, 'estimate'>;
  /** HUMAN clicks that are counted one by one for an answer; of more there is an estimate or none. */
  maxExact?: number;
}

interface Sum {
  visitors: number;
  estimated: boolean;
}

/** HUMAN clicks that are told apart one by one: some 100 ms of reading. */
export const MAX_EXACT = 100_000;

/** Different people among clicks: counted where days have ended or clicks are few, estimated for a day of many. */
export class VisitorNumbers {
  readonly #parts: VisitorsParts;
  readonly #maxExact: number;

  constructor(parts: VisitorsParts) {
    this.#parts = parts;
    this.#maxExact = parts.maxExact ?? MAX_EXACT;
  }

  /** Undefined when it can be neither counted nor estimated. */
  async of(question: VisitorsQuestion): Promise<Visitors | undefined> {
    const { from, to, human, asOf, linkIds } = question;
    if (human === 0) return { value: 0, method: 'EXACT', relativeError: undefined };
    const several = linkIds && linkIds.length !== 1;
    // Days know nothing of who clicked which links.
    const sum = several ? await this.#countRaw(question, [{ from, to }], human) : await this.#sumDays(question);
    if (!sum) return undefined;
    const end = Math.min(to, Math.max(asOf, from) + 1);
    const oneDay = dayStart(from) === dayStart(end - 1);
    const method = oneDay ? (sum.estimated ? 'HLL' : 'EXACT') : 'SUM_OF_WINDOWS';
    return { value: sum.visitors, method, relativeError: sum.estimated ? SKETCH_ERROR : undefined };
  }

  async #sumDays(question: VisitorsQuestion): Promise<Sum | undefined> {
    const { tenantId, linkIds, from, to, human } = question;
    const firstDay = dayStart(from + DAY_MS - 1);
    const days = await this.#parts.days.read(tenantId, linkIds?.[0] ?? WHOLE_TENANT, firstDay, dayStart(to));
    let [visitors, rest] = [0, human];
    for (const day of days.values()) {
      visitors += day.visitors;
      rest -= day.clicks;
    }
    const known = [...days.keys()];
    const sum =
      rest > this.#maxExact
        ? await this.#estimate(question, known, rest)
        : await this.#countRaw(question, gapsOf({ from, to }, known), rest);
    return sum && { visitors: visitors + sum.visitors, estimated: sum.estimated };
  }

  /** Undefined unless the raw clicks are all there: they are `clicks`, and not too many. */
  async #countRaw(scope: Scope, spans: readonly TimeSpan[], clicks: number): Promise<Sum | undefined> {
    if (clicks < 0 || clicks > this.#maxExact) return undefined;
    const found = await this.#countSpans(scope, clicks === 0 ? [] : spans);
    return found?.clicks === clicks ? { visitors: found.visitors, estimated: false } : undefined;
  }

  async #countSpans(scope: Scope, spans: readonly TimeSpan[]) {
    const total = { clicks: 0, visitors: 0 };
    for (const span of spans) {
      const found = await this.#parts.clicks.count(scope, span, this.#maxExact - total.clicks);
      if (!found) return undefined;
      total.clicks += found.clicks;
      total.visitors += found.visitors;
    }
    return total;
  }

  /** The running day, and the one before as long as it is not counted, by their sketches; what is left clicks by click. */
  async #estimate(question: VisitorsQuestion, known: readonly number[], clicks: number): Promise<Sum | undefined> {
    const { tenantId, linkIds, from, to, asOf } = question;
    const today = dayStart(asOf);
    const reachesEnd = (day: number) => to >= Math.min(day + DAY_MS, asOf);
    const days = [today - DAY_MS, today].filter((day) => from <= day && reachesEnd(day) && !known.includes(day));
    if (days.length === 0) return undefined;
    const people = new Map<number, number>();
    for (const day of days) people.set(day, await this.#parts.clicks.people(tenantId, linkIds?.[0], day));
    const estimated = [...people.values()].reduce((sum, onDay) => sum + onDay, 0);
    // Nearly so: by clocks that are ahead a day can have clicks after the end of the span.
    if (clicks - estimated > this.#maxExact) return undefined;
    const raw = await this.#countSpans(question, gapsOf({ from, to }, [...known, ...days]));
    if (!raw) return undefined;
    let { visitors } = raw;
    for (const [day, onDay] of people) {
      const estimate = await this.#parts.sketches.estimate(tenantId, linkIds?.[0], day);
      if (estimate === undefined) return undefined;
      visitors += Math.min(estimate, onDay);
    }
    // More: by clocks that are ahead the day can have clicks after the end of the span. Fewer: raw clicks are gone.
    return raw.clicks + estimated >= clicks ? { visitors, estimated: true } : undefined;
  }
}

/** What is left of a span without these days (their starts). */
function gapsOf({ from, to }: TimeSpan, days: readonly number[]): TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let start = from;
  for (const day of [...days].sort((a, b) => a - b)) {
    if (day > start) gaps.push({ from: start, to: day });
    start = day + DAY_MS;
  }
  if (start < to) gaps.push({ from: start, to });
  return gaps;
}
