import type { CalendarBucket } from '../../../model/calendar-bucket.js';
import type { TimeSpan } from '../../../model/time-span.js';
import { type AppError, isAppError } from '../../../runtime/app-error.js';
import { type Dimension, rollupMapOf, shownValue } from '../dimension.js';
import { TRAFFIC_CLASSES, type TrafficClass } from '../enrich/traffic-class.js';
import type { Filter } from '../filter.js';
import type { ClickReader } from '../store/click-reader.js';
import { HOUR_MS, OTHER, unescapeKey } from '../store/rollup.js';
import type { Hour } from '../store/rollup-bytes.js';
import type { Scope } from '../store/scope.js';
import { indexAt } from './bucket-index.js';
import { addCounts, type ClassCounts, clicksOf } from './class-counts.js';
import type { RawLimits } from './raw-limits.js';
import { splitAtHours, splitAtQuarters } from './span-split.js';

export interface CountRequest {
  scope: Scope;
  span: TimeSpan;
  filters: readonly Filter[];
  traffic: readonly TrafficClass[];
  /** Of each series, in order; they cover the span. */
  series: readonly (readonly CalendarBucket[])[];
  breakdowns: readonly BreakdownRequest[];
}

export interface BreakdownRequest {
  dimension: Dimension;
  /** Of each value the other traffic classes too. */
  excluded: boolean;
}

export interface Counted {
  classes: ClassCounts;
  series: ClassCounts[][];
  /** For each breakdown by value; '' is unknown. */
  values: Map<string, ClassCounts>[];
  /** For each breakdown: some values of an hour with too many were counted as OTHER alone. */
  capped: boolean[];
  /** For each breakdown: why it can't be answered. */
  failures: (AppError | undefined)[];
  /** Read from. */
  rollups: boolean;
  raw: boolean;
}

type Reader = Pick<ClickReader, 'hours' | 'hoursByLink' | 'rawByQuarter' | 'rawByValue'>;

/**
 * Counts what roll-ups hold whole from them and the rest from the clicks themselves. Both are of one snapshot, and one
 * transaction wrote both, so the parts fit.
 */
export async function countSpan(
  reader: Reader,
  request: CountRequest,
  limits: Pick<RawLimits, 'check' | 'allows'>,
): Promise<Counted> {
  const count = new SpanCount(reader, request, limits);
  await count.run();
  return count.counted;
}

class SpanCount {
  readonly #reader: Reader;
  readonly #request: CountRequest;
  readonly #limits: Pick<RawLimits, 'check' | 'allows'>;
  readonly counted: Counted;

  constructor(reader: Reader, request: CountRequest, limits: Pick<RawLimits, 'check' | 'allows'>) {
    this.#reader = reader;
    this.#request = request;
    this.#limits = limits;
    this.counted = {
      classes: {},
      series: request.series.map((buckets) => buckets.map(() => ({}))),
      values: request.breakdowns.map(() => new Map()),
      capped: request.breakdowns.map(() => false),
      failures: request.breakdowns.map(() => undefined),
      rollups: false,
      raw: false,
    };
  }

  async run(): Promise<void> {
    const { span, filters, breakdowns } = this.#request;
    const { whole, ends } = splitAtHours(span);
    const rolled = breakdowns.map((breakdown) => this.#isRolled(breakdown));
    if (filters.length > 0) await this.#countRaw(span, await this.#all(span));
    else {
      if (whole) await this.#countHours(whole, rolled);
      await Promise.all(ends.map((end) => this.#countEnd(end)));
    }
    // What they need of the classes is there now.
    await Promise.all(
      breakdowns.map((_breakdown, i) =>
        this.#countBreakdown(i, rolled[i] ?? false).catch((error) => {
          if (!isAppError(error)) throw error;
          this.counted.failures[i] = error;
        }),
      ),
    );
  }

  async #countBreakdown(i: number, rolled: boolean): Promise<void> {
    const { span, breakdowns } = this.#request;
    const { dimension } = breakdowns[i]!;
    if (dimension === 'TRAFFIC_CLASS') return this.#splitClasses(i);
    if (!rolled) return this.#countValues(i, span, await this.#all(span));
    const { whole, ends } = splitAtHours(span);
    if (dimension === 'LINK' && whole) await this.#countLinks(i, whole);
    await Promise.all(ends.map((end) => this.#countValues(i, end, 0)));
    await this.#mendCapped(i);
  }

  /** All visits of the scope and span, whatever filters say: what single clicks would have to be read. */
  async #all(span: TimeSpan): Promise<number> {
    const classes: ClassCounts = {};
    const hours = { from: Math.floor(span.from / HOUR_MS) * HOUR_MS, to: span.to };
    for await (const { x } of this.#reader.hours(this.#request.scope, hours, {})) addCounts(classes, x);
    return clicksOf(classes, TRAFFIC_CLASSES);
  }

  /** An hour with too many values counted some of them as OTHER: the clicks themselves know better. */
  async #mendCapped(i: number): Promise<void> {
    const { span, traffic } = this.#request;
    const clicks = clicksOf(this.counted.classes, traffic);
    if (!this.counted.capped[i] || !this.#limits.allows(span, clicks)) return;
    this.counted.capped[i] = false;
    this.counted.values[i] = new Map();
    await this.#countValues(i, span, clicks);
  }

  /** Roll-ups know values of people alone, but for links, and not two things of one click. */
  #isRolled({ dimension, excluded }: BreakdownRequest): boolean {
    const { filters, traffic } = this.#request;
    if (filters.length > 0) return false;
    if (dimension === 'LINK') return true;
    return !excluded && traffic.length === 1 && traffic[0] === 'HUMAN';
  }

  async #countHours(span: TimeSpan, rolled: readonly boolean[]): Promise<void> {
    const { scope, series, breakdowns } = this.#request;
    const maps = breakdowns.flatMap(({ dimension }, i) => {
      const map = rolled[i] ? rollupMapOf(dimension) : undefined;
      return map ? [{ i, dimension, map }] : [];
    });
    const quarters = series.some((buckets) => buckets.some(({ start }) => start % HOUR_MS !== 0));
    this.counted.rollups = true;
    const sums = maps.map(() => new Map<string, number>());
    for await (const hour of this.#reader.hours(scope, span, { quarters, maps: maps.map(({ map }) => map) })) {
      addCounts(this.counted.classes, hour.x);
      for (const [i, buckets] of series.entries()) this.#addHour(this.counted.series[i]!, buckets, hour);
      for (const [k, { map }] of maps.entries()) {
        const sum = sums[k]!;
        hour.maps.get(map)?.forEach((key, count) => {
          sum.set(key, (sum.get(key) ?? 0) + count);
        });
      }
    }
    for (const [k, { i, dimension }] of maps.entries()) this.#addMap(i, dimension, sums[k]!);
  }

  #addHour(counts: ClassCounts[], buckets: readonly CalendarBucket[], hour: Hour): void {
    const at = indexAt(buckets, hour.start);
    // What a clock ahead has brought is in the last.
    if (at === buckets.length - 1 || buckets[at]!.end >= hour.start + HOUR_MS) addCounts(counts[at]!, hour.x);
    else for (const [start, classes] of hour.quarters) addCounts(counts[indexAt(buckets, start)]!, classes);
  }

  #addMap(i: number, dimension: Dimension, map: ReadonlyMap<string, number>): void {
    for (const [key, clicks] of map) {
      if (key === OTHER) this.counted.capped[i] = true;
      this.#addValue(i, key === OTHER ? OTHER : shownValue(dimension, unescapeKey(key)), 'HUMAN', clicks);
    }
  }

  /** Within one hour: its whole quarters from the roll-up. */
  async #countEnd(end: TimeSpan): Promise<void> {
    const { whole, ends } = splitAtQuarters(end);
    if (whole) {
      this.counted.rollups = true;
      const hour = Math.floor(whole.from / HOUR_MS) * HOUR_MS;
      const found = this.#reader.hours(this.#request.scope, { from: hour, to: hour + 1 }, { quarters: true });
      for await (const each of found) {
        for (const [start, classes] of each.quarters) {
          if (start >= whole.from && start < whole.to) this.#addQuarter(start, classes);
        }
      }
    }
    await Promise.all(ends.map((each) => this.#countRaw(each, 0)));
  }

  async #countRaw(span: TimeSpan, clicks: number): Promise<void> {
    const { scope, filters } = this.#request;
    this.#readRaw(span, clicks);
    for (const { quarter, trafficClass, clicks } of await this.#reader.rawByQuarter({ scope, span, filters })) {
      // The first quarter may begin before the span.
      this.#addQuarter(Math.max(quarter, span.from), { [trafficClass]: clicks });
    }
  }

  #addQuarter(start: number, classes: ClassCounts): void {
    addCounts(this.counted.classes, classes);
    for (const [i, buckets] of this.#request.series.entries()) {
      addCounts(this.counted.series[i]![indexAt(buckets, start)]!, classes);
    }
  }

  async #countLinks(i: number, span: TimeSpan): Promise<void> {
    this.counted.rollups = true;
    for (const { value, trafficClass, clicks } of await this.#reader.hoursByLink(this.#request.scope, span)) {
      this.#addValue(i, value, trafficClass, clicks);
    }
  }

  async #countValues(i: number, span: TimeSpan, clicks: number): Promise<void> {
    const { scope, filters, traffic, breakdowns } = this.#request;
    const { dimension, excluded } = breakdowns[i]!;
    this.#readRaw(span, clicks);
    const choice = { scope, span, filters, classes: excluded ? TRAFFIC_CLASSES : traffic };
    for (const { value, trafficClass, clicks } of await this.#reader.rawByValue(choice, dimension)) {
      this.#addValue(i, value, trafficClass, clicks);
    }
  }

  #splitClasses(i: number): void {
    for (const name of this.#request.traffic) this.#addValue(i, name, name, this.counted.classes[name] ?? 0);
  }

  #addValue(i: number, value: string, trafficClass: TrafficClass, clicks: number): void {
    if (clicks === 0) return;
    const values = this.counted.values[i]!;
    const counts = values.get(value) ?? {};
    counts[trafficClass] = (counts[trafficClass] ?? 0) + clicks;
    values.set(value, counts);
  }

  #readRaw(span: TimeSpan, clicks: number): void {
    this.#limits.check(span, clicks);
    this.counted.raw = true;
  }
}
