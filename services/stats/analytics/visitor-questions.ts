import type { CalendarBucket } from '../../../model/calendar-bucket.js';
import type { TimeSpan } from '../../../model/time-span.js';
import type { Dimension } from '../dimension.js';
import type { ClickReader, RawChoice } from '../store/click-reader.js';
import { DAY_MS, dayStart } from '../store/visitor-days.js';
import type { VisitorSketches } from '../visitor-sketches.js';
import { MAX_EXACT, VisitorNumbers } from '../visitors.js';
import type { Visitors } from './answer.js';
import { indexAt } from './bucket-index.js';
import { type ClassCounts, clicksOf } from './class-counts.js';
import type { Moment } from './moment.js';
import type { Question } from './question.js';

/** Each is a question of its own. */
const MAX_DAYS = 100;

/** Different people among the clicks of one question, for whole spans, buckets and values. */
export class VisitorQuestions {
  readonly #reader: ClickReader;
  readonly #question: Question;
  readonly #moment: Moment;
  readonly #numbers: VisitorNumbers;
  readonly #known = new Map<string, Promise<Visitors | undefined>>();

  constructor(reader: ClickReader, question: Question, moment: Moment, sketches: Pick<VisitorSketches, 'estimate'>) {
    this.#reader = reader;
    this.#question = question;
    this.#moment = moment;
    this.#numbers = new VisitorNumbers({ clicks: reader.people, days: reader.days, sketches });
  }

  of(span: TimeSpan, clicks: number): Promise<Visitors | undefined> {
    const key = `${span.from}-${span.to}`;
    const known = this.#known.get(key) ?? this.#of(span, clicks);
    this.#known.set(key, known);
    return known;
  }

  async #of(span: TimeSpan, clicks: number): Promise<Visitors | undefined> {
    const { scope, filters, traffic } = this.#question;
    if (filters.length === 0 && traffic.length === 1 && traffic[0] === 'HUMAN') {
      const { now, asOf } = this.#moment;
      return this.#numbers.of({ ...scope, ...span, human: clicks, asOf: asOf?.getTime() ?? now });
    }
    if (!this.#countable(span, clicks)) return undefined;
    return this.#counted(await this.#reader.visitors(this.#choice(span)), span);
  }

  async byBucket(span: TimeSpan, buckets: readonly CalendarBucket[], counts: readonly ClassCounts[]) {
    const clicks = counts.reduce((sum, each) => sum + clicksOf(each, this.#question.traffic), 0);
    if (!this.#countable(span, clicks)) return this.#byDays(span, buckets, counts);
    const people = buckets.map(() => new Set<string>());
    for (const { time, who } of await this.#reader.visits(this.#choice(span))) people[indexAt(buckets, time)]?.add(who);
    return buckets.map((bucket, i) => this.#counted(people[i]?.size ?? 0, clip(bucket, span)));
  }

  /** Of many clicks those parts alone that are made of whole UTC days, whose numbers are kept. */
  async #byDays(span: TimeSpan, buckets: readonly CalendarBucket[], counts: readonly ClassCounts[]) {
    const found: (Visitors | undefined)[] = [];
    for (const [i, bucket] of buckets.entries()) {
      const whole = bucket.start % DAY_MS === 0 && bucket.end % DAY_MS === 0 && buckets.length <= MAX_DAYS;
      const clicks = clicksOf(counts[i] ?? {}, this.#question.traffic);
      found.push(whole ? await this.of(clip(bucket, span), clicks) : undefined);
    }
    return found;
  }

  async byValue(
    span: TimeSpan,
    clicks: number,
    dimension: Dimension,
  ): Promise<((value: string) => Visitors) | undefined> {
    if (!this.#countable(span, clicks)) return undefined;
    const found = await this.#reader.visitorsByValue(this.#choice(span), dimension);
    const people = new Map(found.map(({ value, visitors }) => [value, visitors]));
    return (value) => this.#counted(people.get(value) ?? 0, span);
  }

  #countable(span: TimeSpan, clicks: number): boolean {
    return clicks <= MAX_EXACT && this.#moment.limits.allows(span, clicks);
  }

  /** People of two days can't be compared: their numbers are added. */
  #counted(value: number, { from, to }: TimeSpan): Visitors {
    const last = Math.max(from, Math.min(to - 1, this.#moment.now));
    return { value, method: dayStart(from) === dayStart(last) ? 'EXACT' : 'SUM_OF_WINDOWS', relativeError: undefined };
  }

  #choice(span: TimeSpan): RawChoice {
    const { scope, filters, traffic } = this.#question;
    return { scope, span, filters, classes: traffic };
  }
}

function clip(bucket: CalendarBucket, { from, to }: TimeSpan): TimeSpan {
  return { from: Math.max(bucket.start, from), to: Math.min(bucket.end, to) };
}
