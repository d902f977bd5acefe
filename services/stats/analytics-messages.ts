import * as wire from '../../gen/proto/waypost/stats/v1/stats_service.js';
import { AppError } from '../../runtime/app-error.js';
import { enumName } from '../../runtime/proto-enum.js';
import type { Answer, Metrics, PanelAnswer } from './analytics/answer.js';
import type { Panel, Question } from './analytics/question.js';

/** @throws AppError INVALID_ARGUMENT for an enum value that this build does not know, or what must not be absent */
export function questionOf(tenantId: string, request: wire.QueryAnalyticsRequest): Question {
  const { linkIds, span, compared } = request;
  if (compared && !(compared.from && compared.to)) throw missing('compared.from and compared.to');
  return {
    scope: { tenantId, linkIds: linkIds.length > 0 ? linkIds : undefined },
    span: { from: span?.from?.getTime(), to: span?.to?.getTime() },
    compared: compared && { from: Number(compared.from), to: Number(compared.to) },
    timeZone: request.timeZone,
    weekStart: name(wire.Weekday, request.weekStart, 'week_start'),
    traffic: request.traffic.map((value) => name(wire.TrafficClass, value, 'traffic')),
    filters: request.filters.map(({ dimension, operator, values }) => ({
      dimension: name(wire.Dimension, dimension, 'filters.dimension'),
      operator: name(wire.FilterOperator, operator, 'filters.operator'),
      values,
    })),
    panels: request.panels.map(panelOf),
  };
}

function panelOf({ kind, visitors, excluded }: wire.Panel): Panel {
  const wants = { visitors, excluded };
  switch (kind?.$case) {
    case 'totals':
      return { kind: 'totals', ...wants };
    case 'series':
      return { kind: 'series', granularity: name(wire.Granularity, kind.value.granularity, 'granularity'), ...wants };
    case 'breakdown': {
      const { dimension, order, first, after } = kind.value;
      return {
        kind: 'breakdown',
        dimension: name(wire.Dimension, dimension, 'dimension'),
        order: name(wire.RowOrder, order, 'order'),
        first,
        after,
        ...wants,
      };
    }
    default:
      throw missing('panel.kind');
  }
}

export function answerMessage({ quality, panels }: Answer): wire.QueryAnalyticsResponse {
  return {
    quality: { ...quality, source: wire.CountSource[quality.source] },
    panels: panels.map((panel) => ({ kind: panelMessage(panel) })),
  };
}

function panelMessage(panel: PanelAnswer): wire.PanelAnswer['kind'] {
  switch (panel.kind) {
    case 'totals':
      return {
        $case: 'totals',
        value: { metrics: metricsMessage(panel.metrics), previous: metricsMessage(panel.previous) },
      };
    case 'series':
      return { $case: 'series', value: { buckets: panel.buckets.map(withMessages) } };
    case 'breakdown': {
      const { rows, distinctValues, hasMore, total } = panel;
      const messages = rows.map((row) => ({ ...withMessages(row), kind: wire.RowKind[row.kind] }));
      return { $case: 'breakdown', value: { rows: messages, distinctValues, hasMore, total } };
    }
    case 'failure': {
      const { code, message, path = [] } = panel.problem;
      return { $case: 'failure', value: { code, message, path } };
    }
  }
}

function withMessages<T extends { metrics: Metrics; previous: Metrics | undefined }>(part: T) {
  return { ...part, metrics: metricsMessage(part.metrics), previous: metricsMessage(part.previous) };
}

function metricsMessage(metrics: Metrics | undefined): wire.Metrics | undefined {
  if (!metrics) return undefined;
  const { clicks, visitors, excluded } = metrics;
  return {
    clicks,
    visitors: visitors && { ...visitors, method: wire.VisitorMethod[visitors.method] },
    excluded: excluded.map(({ trafficClass, count }) => ({ trafficClass: wire.TrafficClass[trafficClass], count })),
  };
}

function name<E extends Record<string, string>>(enumeration: E, value: string, field: string) {
  const known = enumName(enumeration, value);
  if (known !== undefined) return known;
  const message = `${field} is absent or a value that this version does not know.`;
  throw new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path: [field] });
}

function missing(field: string): AppError {
  return new AppError('INVALID_ARGUMENT', {
    code: 'INVALID_ARGUMENT',
    message: `${field} is missing.`,
    path: [field],
  });
}
