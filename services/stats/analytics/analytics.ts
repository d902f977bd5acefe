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
  /** Of the series panels that can be answered. */
  buckets: Map<Panel, CalendarBucket[]>;
  breakdowns: BreakdownPanel[];
  /** Its series are in the order of `buckets`. */
  counted: Counted;
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
  readonly #failures = new Map<Panel, AppError>();

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
      compared && this.#side(compared, false),
      this.#reader.refused(scope, span),
    ]);
    const answers = await Promise.all(panels.map((panel) => this.#panel(panel, now, before)));
    return { quality: { ...this.#quality(now, before), droppedAtEdge, tooLate }, panels: answers };
  }

  /** @param open whether all that is known after its start belongs to it */
  async #side(span: TimeSpan, open: boolean): Promise<Side> {
    const { scope, traffic, filters, panels } = this.#question;
    const buckets = new Map<Panel, CalendarBucket[]>();
    for (const panel of panels) {
      if (panel.kind !== 'series') continue;
      const found = this.#orFailure(panel, () => bucketsOf(span, panel.granularity, this.#question));
      if (found) buckets.set(panel, found);
    }
    const breakdowns = panels.filter((panel) => panel.kind === 'breakdown');
    const whole = open ? { from: span.from, to: openEnd(span.to) } : span;
    const request = { scope, span: whole, filters, traffic, series: [...buckets.values()], breakdowns };
    const counted = await countSpan(this.#reader, request, this.#moment.limits);
    for (const [i, failure] of counted.failures.entries()) if (failure) this.#failures.set(breakdowns[i]!, failure);
    return { span, buckets, breakdowns, counted };
  }

  /** Undefined when it fails: that concerns this panel alone. */
  #orFailure<T>(panel: Panel, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!isAppError(error)) throw error;
      this.#failures.set(panel, error);
      return undefined;
    }
  }

  async #panel(panel: Panel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    if (!this.#failures.has(panel)) {
      if (panel.kind === 'totals') return this.#totals(panel, now, before);
      if (panel.kind === 'series') return this.#series(panel, now, before);
      const answer = await this.#breakdown(panel, now, before);
      if (answer) return answer;
    }
    return { kind: 'failure', problem: this.#failures.get(panel)!.problems[0]! };
  }

  async #totals(panel: TotalsPanel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    const metrics = async ({ span, counted: { classes } }: Side) => {
      const clicks = clicksOf(classes, this.#question.traffic);
      const visitors = panel.visitors ? await this.#visitors.of(span, clicks) : undefined;
      return metricsOf(classes, this.#question.traffic, panel.excluded, visitors);
    };
    return { kind: 'totals', metrics: await metrics(now), previous: before && (await metrics(before)) };
  }

  async #series(panel: SeriesPanel, now: Side, before: Side | undefined): Promise<PanelAnswer> {
    const { traffic } = this.#question;
    const [buckets, counts] = [now.buckets.get(panel) ?? [], countsOf(now, panel) ?? []];
    const visitors = panel.visitors ? await this.#visitors.byBucket(now.span, buckets, counts) : undefined;
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

  async #breakdown(panel: BreakdownPanel, now: Side, before: Side | undefined): Promise<PanelAnswer | undefined> {
    const { traffic } = this.#question;
    const i = now.breakdowns.indexOf(panel);
    const values = now.counted.values[i]!;
    const clicks = clicksOf(now.counted.classes, traffic);
    const visitors = panel.visitors ? await this.#visitors.byValue(now.span, clicks, panel.dimension) : undefined;
    const previous = before?.counted.values[i];
    const page = this.#orFailure(panel, () => pageOfRows({ panel, traffic, values, previous, visitors }));
    return page && { kind: 'breakdown', ...page };
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

function countsOf({ buckets, counted }: Side, panel: Panel): ClassCounts[] | undefined {
  return counted.series[[...buckets.keys()].indexOf(panel)];
}

/** After all that a clock ahead may have brought, at a full hour, so that roll-ups alone tell the end. */
function openEnd(now: number): number {
  return Math.ceil((now + MAX_AHEAD_MS) / HOUR_MS) * HOUR_MS;
}
