import DataLoader from 'dataloader';
import type {
  Panel,
  PanelAnswer,
  Quality,
  QueryAnalyticsRequest,
} from '../gen/proto/waypost/stats/v1/stats_service.js';
import { AppError, isAppError } from '../runtime/app-error.js';
import type { CallFor } from '../runtime/rpc-client.js';
import type { Services } from './services.js';

export type PageQuery = Omit<QueryAnalyticsRequest, 'panels'>;
type Kind = NonNullable<PanelAnswer['kind']>;
type AnswerOf<K extends Kind['$case']> = Extract<Kind, { $case: K }>['value'];

/** Below the limit of the stats service. */
const MAX_PANELS = 50;

/** One `analytics` of a document: whatever of it is asked for goes in one call, and is of one moment. */
export class AnalyticsPage {
  readonly query: PageQuery;
  readonly #panels: DataLoader<Panel | 'quality', PanelAnswer | Quality>;

  constructor(stats: Services['stats'], query: PageQuery, caller: CallFor) {
    this.query = query;
    this.#panels = new DataLoader(
      async (keys) => {
        const panels = keys.filter((key) => key !== 'quality');
        const answer = await stats.call('queryAnalytics', { ...query, panels }, caller).catch(withPath);
        let next = 0;
        return keys.map((key) => (key === 'quality' ? answer.quality : answer.panels[next++]) ?? missing());
      },
      { cache: false, maxBatchSize: MAX_PANELS },
    );
  }

  quality(): Promise<Quality> {
    return this.#panels.load('quality') as Promise<Quality>;
  }

  /** @throws AppError when this panel can't be answered */
  async panel<K extends Kind['$case']>(panel: Panel & { kind: { $case: K } }): Promise<AnswerOf<K>> {
    const { kind } = (await this.#panels.load(panel)) as PanelAnswer;
    if (kind?.$case === 'failure') throw new AppError('INVALID_ARGUMENT', kind.value);
    if (kind?.$case !== panel.kind.$case) throw missing();
    return kind.value as AnswerOf<K>;
  }
}

/** What the service refuses as a whole is a part of the argument `query`. */
function withPath(error: unknown): never {
  if (!isAppError(error, 'INVALID_ARGUMENT')) throw error;
  const problems = error.problems.map((problem) => ({ ...problem, path: ['query', ...(problem.path ?? [])] }));
  throw new AppError('INVALID_ARGUMENT', problems, { cause: error });
}

function missing(): Error {
  return new Error('the stats service left a panel unanswered');
}
