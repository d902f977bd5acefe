import type { StatsServiceService } from '../../gen/proto/waypost/stats/v1/stats_service.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Analytics } from './analytics/analytics.js';
import { answerMessage, questionOf } from './analytics-messages.js';
import type { Totals } from './totals.js';

export function statsHandlers(totals: Totals, analytics: Analytics): Handlers<typeof StatsServiceService> {
  return {
    getClickTotals({ linkIds, from, to }, caller) {
      return totals.of(caller.tenantId, linkIds, from, to);
    },
    async queryAnalytics(request, caller) {
      return answerMessage(await analytics.answer(questionOf(caller.tenantId, request)));
    },
  };
}
