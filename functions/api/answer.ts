import type { ApiServer } from '../../shared/kube-api/server/api-server.ts';
import type { Log } from '../../shared/log.ts';
import { logAudit } from './log-audit.ts';
import { answerOf, basePathOf, type ProxyAnswer, type ProxyEvent, requestOf, userOf } from './proxy-event.ts';

/** Answers an event of API Gateway by the API, and logs the audit record of requests that have one. */
export const makeAnswer =
  ({ api, log }: { api: ApiServer['fetch']; log: Log }) =>
  async (event: ProxyEvent): Promise<ProxyAnswer> => {
    const audit = logAudit(log, event);
    return answerOf(await api(requestOf(event), userOf(event), basePathOf(event), audit));
  };
