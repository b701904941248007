import type { ApiServer } from '../../../shared/kube-api/server/api-server.ts';
import type { Log } from '../../../shared/log.ts';
import { logAudit } from './log-audit.ts';
import { answerOf, basePathOf, type ProxyAnswer, type ProxyEvent, requestOf, userOf } from './proxy-event.ts';

interface Answering {
  api: ApiServer['fetch'];
  log: Log;
  /** Redirects a request that another function authorizes; undefined if the request is handled here. */
  redirect?(request: Request): Response | undefined;
}

/** Answers an API Gateway event with the API's response, and logs the audit record of requests that have one. */
export const makeAnswer =
  ({ api, log, redirect }: Answering) =>
  async (event: ProxyEvent): Promise<ProxyAnswer> => {
    const request = requestOf(event);
    const user = userOf(event);
    const elsewhere = redirect?.(request);
    if (elsewhere) return answerOf(elsewhere);
    const audit = logAudit(log, event);
    return answerOf(await api(request, user, basePathOf(event), audit));
  };
