import type { CalendarBucket } from '../../../model/calendar-bucket.js';
import type { TimeSpan } from '../../../model/time-span.js';
import { type AppError, isAppError } from '../../../runtime/app-error.js';
import type { Freshness } from '../freshness.js';
import { MAX_AHEAD_MS, RAW_RETENTION_MS } from '../ingest.js';
import { RAW_READABLE_MS } from '../retention.js';
import type { ClickReader } from '../store/click-reader.js';
import { HOUR_MS } from '../store/rollup.js';
import type { StatsStore } from '../store.js';
import type { VisitorSketches } from '../visitor-sketches.js';
import type { Answer, CountSource, PanelAnswer, Quality } from './answer.js';
import { checkQuestion } from './check-question.js';
import { type ClassCounts, clicksOf, metricsOf } from './class-counts.js';
import { type Counted, countSpan } from './count.js';
import type { Moment } from './moment.js';
import type { BreakdownPanel, Panel, Question, SeriesPanel, TotalsPanel } from './question.js';
import { RawLimits } from './raw-limits.js';
import { pageOfRows } from './rows.js';
import { bucketsOf, seriesOf } from './series.js';
import { VisitorQuestions } from './visitor-questions.js';

export interface AnalyticsParts {
  store: Pick<StatsStore, 'read'>;
  freshness: Pick<Freshness, 'asOf'>;
  sketches: Pick<VisitorSketches, 'estimate'>;
  now?: () => number;
}

/** One span as all panels need it. */
interface Side {
  span: TimeSpan;
  /** What was counted: the span, or all that is known after its start. */
  whole: TimeSpan;
  /** Of the series panels that can be answered. */
  buckets: Map<Panel, CalendarBucket[]>;
  breakdowns: BreakdownPanel[];
  /** Its series are in the order of `buckets`. */
  counted: Counted;
  /** Why a panel can't be answered. */
  failures: Map<Panel, AppError>;
}

/** Answers all panels of one page of statistics from one moment. */
export class Analytics {
  readonly #parts: AnalyticsParts;

  constructor(parts: AnalyticsParts) {
    this.#parts = parts;
  }

  /** @throws AppError INVALID_ARGUMENT, RANGE_TOO_OLD, QUERY_TOO_WIDE */
  async answer(question: Question): Promise<Answer> {
    checkQuestion(question);
    const { store, freshness, sketches, now = Date.now } = this.#parts;
    // First: what is committed while we read may be missing, and then must not be claimed.
    const asOf = await freshness.asOf();
    const time = now();
    const limits = new RawLimits(time - RAW_READABLE_MS);
    const moment = { limits, asOf, now: time };
    return store.read((reader) => {
      const visitors = new VisitorQuestions(reader, question, moment, sketches);
      return new Page(reader, question, moment, visitors).answer();
    });
  }
}

class Page {
  readonly #reader: ClickReader;
  readonly #question: Question;
  readonly #moment: Moment;
  readonly #visitors: VisitorQuestions;

  constructor(reader: ClickReader, question: Question, moment: Moment, visitors: VisitorQuestions) {
    this.#reader = reader;
    this.#question = question;
    this.#moment = moment;
    this.#visitors = visitors;
  }

  async answer(): Promise<Answer> {
    const { scope, compared, panels } = this.#question;
    const { now: time } = this.#moment;
    const { from = (await this.#reader.firstHour(scope)) ?? time, to = time } = this.#question.span;
    const span = { from: Math.min(from, to), to };
    // The first read decides which moment all the others see.
    const droppedAtEdge = await this.#reader.droppedAtEdge(scope.tenantId, span);
    const [now, before, tooLate] = await Promise.all([
      this.#side(span, this.#question.span.to === undefined),
      compared && this.#comparedSide(compared),
      this.#reader.refused(scope, span),
    ]);
    const answers = await Promise.all(panels.map((panel) => this.#panel(panel, now, before)));
    return { quality: { ...this.#quality(now, before), droppedAtEdge, tooLate }, panels: answers };
  }

  /** Undefined when only roll-ups are left of it that don't tell it exactly: then nothing is compared. */
  async #comparedSide(span: TimeSpan): Promise<Side | undefined> {
    try {
      return await this.#side(span, false);
    } catch (error) {
      if (isAppError(error) && error.code === 'RANGE_TOO_OLD') return undefined;
      throw error;
    }
  }

  /** @param open whether all that is known after its start belongs to it */
  async #side(span: TimeSpan, open: boolean): Promise<Side> {
    const { scope, traffic, filters, panels } = this.#question;
    const buckets = new Map<Panel, CalendarBucket[]>();
    const failures = new Map<Panel, AppError>();
    for (const panel of panels) {
      if (panel.kind !== 'series') continue;
      try {
        buckets.set(panel, bucketsOf(span, panel.granularity, this.#question));
      } catch (error) {
        if (!isAppError(error)) throw error;
        failures.set(panel, error);
      }
    }
    const breakdowns = panels.filter((panel) => panel.kind === 'breakdown');
    const whole = open ? { from: span.from, to: openEnd(span.to) } : span;
    const request = { scope, span: whole, filters, traffic, series: [...buckets.values()], breakdowns };
    const counted = await countSpan(this.#reader, request, this.#moment.limits);
    for (const [i, failure] of counted.failures.entries()) if (failure) failures.set(breakdowns[i]!, failure);
    return { span, whole, buckets, breakdowns, counted, failures };
  }

  async #panel(panel: Panel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    const failure = now.failures.get(panel);
    if (failure) return failureOf(failure);
    switch (panel.kind) {
      case 'totals':
        return this.#totals(panel, now, before);
      case 'series':
        return this.#series(panel, now, before);
      case 'breakdown':
        return this.#breakdown(panel, now, before);
    }
  }

  async #totals(panel: TotalsPanel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    const metrics = async ({ whole, counted: { classes } }: Side) => {
      const clicks = clicksOf(classes, this.#question.traffic);
      const visitors = panel.visitors ? await this.#visitors.of(whole, clicks) : undefined;
      return metricsOf(classes, this.#question.traffic, panel.excluded, visitors);
    };
    return { kind: 'totals', metrics: await metrics(now), previous: before && (await metrics(before)) };
  }

  async #series(panel: SeriesPanel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    const { traffic } = this.#question;
    const [buckets, counts] = [now.buckets.get(panel) ?? [], countsOf(now, panel) ?? []];
    const visitors = panel.visitors ? await this.#visitors.byBucket(now.whole, buckets, counts) : undefined;
    return {
      kind: 'series',
      buckets: seriesOf({
        span: now.span,
        completeUntil: this.#moment.asOf?.getTime() ?? 0,
        traffic,
        excluded: panel.excluded,
        buckets,
        counts,
        previous: before && countsOf(before, panel),
        visitors,
      }),
    };
  }

  async #breakdown(panel: BreakdownPanel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    const { traffic } = this.#question;
    const i = now.breakdowns.indexOf(panel);
    const values = now.counted.values[i]!;
    const clicks = clicksOf(now.counted.classes, traffic);
    const visitors = panel.visitors ? await this.#visitors.byValue(now.whole, clicks, panel.dimension) : undefined;
    const previous = before?.failures.has(panel) ? undefined : before?.counted.values[i];
    try {
      return { kind: 'breakdown', ...pageOfRows({ panel, traffic, values, previous, visitors }) };
    } catch (error) {
      if (!isAppError(error)) throw error;
      return failureOf(error);
    }
  }

  #quality(now: Side, before: Side | undefined): Omit<Quality, 'droppedAtEdge' | 'tooLate'> {
    const counted = [now.counted, ...(before ? [before.counted] : [])];
    return {
      asOf: this.#moment.asOf,
      exact: !counted.some(({ capped }) => capped.includes(true)),
      source: sourceOf(
        counted.some((each) => each.rollups),
        counted.some((each) => each.raw),
      ),
      retentionFrom: new Date(this.#moment.now - RAW_RETENTION_MS),
    };
  }
}

function sourceOf(rollups: boolean, raw: boolean): CountSource {
  if (raw) return rollups ? 'MIXED' : 'RAW';
  return 'ROLLUP';
}

/** Concerns one panel alone. */
function failureOf(error: AppError): PanelAnswer {
  return { kind: 'failure', problem: error.problems[0]! };
}

function countsOf({ buckets, counted }: Side, panel: Panel): ClassCounts[] | undefined {
  return counted.series[[...buckets.keys()].indexOf(panel)];
}

/** After all that a clock ahead may have brought, at a full hour, so that roll-ups alone tell the end. */
function openEnd(now: number): number {
  return Math.ceil((now + MAX_AHEAD_MS) / HOUR_MS) * HOUR_MS;
}
