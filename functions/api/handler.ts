/** The Kubernetes API behind API Gateway. Responses are streamed, so that a watch can stay open. */
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { systemDeadline } from '../../shared/clock.ts';
import { readConfig, readReach } from '../../shared/config.ts';
import { makeConversionCall, makeWebhookCall } from '../../shared/extensions/webhook.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { loadTexts } from '../../shared/kinds/load-texts.ts';
import { profilesIn } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { quoteNothing } from '../observed.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { createApi } from './app.ts';
import { makeAnswer } from './gateway/answer.ts';
import { makeLimitWatches } from './gateway/limit-watches.ts';
import { logRequests } from './gateway/log-requests.ts';
import { measureRequests } from './gateway/measure-requests.ts';
import type { ProxyAnswer, ProxyEvent } from './gateway/proxy-event.ts';
import { redirectWatch } from './gateway/redirect-watch.ts';
import { readNamespaceQuota } from './tenants/namespace-quota.ts';

const runtime = makeSealedRuntime(process.env);
const { watchesPerPrincipal } = readConfig(process.env, ['watchesPerPrincipal']);
const { watches, namespaceQuota } = runtime.config;
const instanceProfiles = profilesIn(readConfig(process.env, ['instanceProfiles']).instanceProfiles);
const limitWatches = makeLimitWatches(runtime.watchSlots, {
  perPrincipal: Number(watchesPerPrincipal),
  all: watches === undefined ? undefined : Number(watches),
});
const redirect = runtime.config.redirectWatches === 'true' ? redirectWatch : undefined;
const https = { deadline: systemDeadline, reach: readReach(process.env) };
const api = createApi({
  ...runtime,
  kinds: KINDS,
  loadTexts,
  translateError: translateAwsError,
  limitWatches,
  instanceProfiles,
  callWebhook: makeWebhookCall(https),
  callConversion: makeConversionCall(https),
  servesHosts: runtime.config.hosts === 'true',
  namespaceQuota: readNamespaceQuota(namespaceQuota),
});

export const handler = middy<ProxyEvent, ProxyAnswer>({ executionMode: executionModeStreamifyResponse })
  .use([...runtime.middlewares])
  .use(measureRequests(runtime))
  .use(logRequests(runtime))
  .use(quoteNothing)
  .handler(makeAnswer({ api, log: runtime.log, redirect }));
