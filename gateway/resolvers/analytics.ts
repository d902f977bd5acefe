import type { AnalyticsBreakdown, AnalyticsMetrics, Resolvers } from '../../gen/graphql.js';
import {
  CountSource,
  Dimension,
  Granularity,
  type Metrics,
  type Row,
  RowKind,
  RowOrder,
  TrafficClass,
  VisitorMethod,
} from '../../gen/proto/waypost/stats/v1/stats_service.js';
import { parseLinkId } from '../../model/link-id.js';
import { AppError } from '../../runtime/app-error.js';
import { AnalyticsPage } from '../analytics-page.js';
import { pageQuery } from '../analytics-query.js';
import type { GatewayContext } from '../context.js';
import { knownName } from '../enum.js';
import { present } from '../present.js';
import { rowLabel } from '../row-label.js';
import { selects } from '../selection.js';

/** What the stats service answers at once. */
const MAX_LINKS = 100;

/** As the schema has them, but of a page that a resolver makes on the way. */
type BreakdownRow = AnalyticsBreakdown['rows'][number];

export const analyticsResolvers: Resolvers<GatewayContext> = {
  Query: {
    async analytics(_parent, { query }, { services, caller, loaders }) {
      const linkIds = [...new Set(query.scope?.linkIds ?? [])];
      if (query.scope?.linkIds && (linkIds.length === 0 || linkIds.length > MAX_LINKS)) throw notSoMany();
      const page = new AnalyticsPage(services.stats, pageQuery(query, linkIds, loaders.now), caller);
      const known = await Promise.all(
        linkIds.map(async (id) => parseLinkId(id) !== undefined && (await loaders.link.load(id))),
      );
      const unknown = known.findIndex((link) => !link);
      if (unknown >= 0) throw noSuchLink(query.scope?.linkIds?.indexOf(linkIds[unknown]!) ?? 0);
      return page;
    },
  },

  Link: {
    analytics: (link, { query }, { services, caller, loaders }) =>
      new AnalyticsPage(services.stats, pageQuery(query, [link.id], loaders.now), caller),
  },

  Analytics: {
    async quality(page, _args, { loaders }) {
      const { asOf = new Date(0), source, retentionFrom, ...quality } = await page.quality();
      return {
        ...quality,
        asOf,
        lagSeconds: Math.max(0, loaders.now - asOf.getTime()) / 1_000,
        source: knownName(CountSource, source),
        retentionFrom: retentionFrom ?? null,
      };
    },

    async totals(page, _args, _context, info) {
      const panel = totalsPanel(selects(info, 'visitors'), selects(info, 'excluded'));
      return metricsOf(present((await page.panel(panel)).metrics));
    },

    async previousTotals(page, _args, _context, info) {
      if (!page.query.compared) return null;
      const panel = totalsPanel(selects(info, 'visitors'), selects(info, 'excluded'));
      const { previous } = await page.panel(panel);
      return previous ? metricsOf(previous) : null;
    },

    async series(page, { granularity }, _context, info) {
      const { buckets } = await page.panel({
        kind: { $case: 'series', value: { granularity: Granularity[granularity] } },
        visitors: selects(info, 'metrics', 'visitors'),
        excluded: selects(info, 'metrics', 'excluded') || selects(info, 'previous', 'excluded'),
      });
      return buckets.map(({ start, end, partial, metrics, previous }) => ({
        start: present(start),
        end: present(end),
        partial,
        metrics: metricsOf(present(metrics)),
        previous: previous ? metricsOf(previous) : null,
      }));
    },

    async breakdown(page, { by, first, after, orderBy }, { loaders }, info) {
      const { rows, distinctValues, hasMore, total } = await page.panel({
        kind: {
          $case: 'breakdown',
          value: {
            dimension: Dimension[by],
            order: RowOrder[orderBy ?? 'CLICKS_DESC'],
            first: first ?? 10,
            after: after ?? '',
          },
        },
        visitors: selects(info, 'rows', 'metrics', 'visitors'),
        excluded: selects(info, 'rows', 'metrics', 'excluded') || selects(info, 'rows', 'previous', 'excluded'),
      });
      const label = async (key: string) =>
        by === 'LINK' ? ((await loaders.link.load(key))?.shortUrl ?? key) : rowLabel(by, key);
      const values = rows.filter(({ kind }) => kind === RowKind.VALUE);
      return {
        dimension: by,
        rows: await Promise.all(rows.map((row) => rowOf(row, total, label))),
        distinctValues,
        pageInfo: {
          hasNextPage: hasMore,
          hasPreviousPage: Boolean(after),
          startCursor: values[0]?.cursor ?? null,
          endCursor: values.at(-1)?.cursor ?? null,
        },
      };
    },
  },
};

function totalsPanel(visitors: boolean, excluded: boolean) {
  return { kind: { $case: 'totals' as const, value: {} }, visitors, excluded };
}

async function rowOf(row: Row, total: number, label: (key: string) => Promise<string>): Promise<BreakdownRow> {
  const metrics = metricsOf(present(row.metrics));
  const kind = knownName(RowKind, row.kind);
  return {
    key: row.key,
    label: kind === 'VALUE' ? await label(row.key) : KIND_LABELS[kind],
    kind,
    metrics,
    share: total > 0 ? metrics.clicks / total : 0,
    previous: row.previous ? metricsOf(row.previous) : null,
  };
}

const KIND_LABELS = { UNKNOWN: 'Unknown', OTHER: 'Other' } as const;

function metricsOf({ clicks, visitors, excluded }: Metrics): AnalyticsMetrics {
  return {
    clicks,
    visitors: visitors
      ? {
          value: visitors.value,
          method: knownName(VisitorMethod, visitors.method),
          relativeError: visitors.relativeError ?? null,
        }
      : null,
    excluded: excluded.map(({ trafficClass, count }) => ({ class: knownName(TrafficClass, trafficClass), count })),
  };
}

function noSuchLink(index: number): AppError {
  const path = ['query', 'scope', 'linkIds', String(index)];
  return new AppError('NOT_FOUND', { code: 'NOT_FOUND', message: 'There is no such link in your tenant.', path });
}

function notSoMany(): AppError {
  const message = `linkIds takes 1 to ${MAX_LINKS} links. Leave it out for all of the tenant.`;
  const path = ['query', 'scope', 'linkIds'];
  return new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path });
}
