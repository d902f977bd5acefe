import { type RiskServiceService, RiskVerdict } from '../../gen/proto/waypost/risk/v1/risk_service.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Judge } from './judge.js';

export function riskHandlers(judge: Judge): Handlers<typeof RiskServiceService> {
  return {
    async judgeUrl({ url }, caller) {
      const { verdict, ...rest } = await judge.judge(url, caller);
      return { ...rest, verdict: RiskVerdict[verdict] };
    },
  };
}
