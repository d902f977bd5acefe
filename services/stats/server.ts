import type { StatsServiceService } from '../../gen/proto/waypost/stats/v1/stats_service.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Totals } from './totals.js';

export function statsHandlers(totals: Totals): Handlers<typeof StatsServiceService> {
  return {
    getClickTotals({ linkIds, from, to }, caller) {
      return totals.of(caller.tenantId, linkIds, from, to);
    },
  };
}
