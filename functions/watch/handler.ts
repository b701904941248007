/**
 * Watches that resume from a version. They run in a function that is as small as Node allows, because it runs for as
 * long as a watch is open. The function `api` redirects clients here (functions/api/gateway/redirect-watch.ts). This
 * function cannot decrypt Secrets, and does not serve them.
 */
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { createDynamoDbClient } from '../../shared/aws/clients/dynamodb.ts';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { systemClock as clock, systemDeadline } from '../../shared/clock.ts';
import { ENV, readConfig, readReach } from '../../shared/config.ts';
import { makeConversionCall } from '../../shared/extensions/webhook.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { withQuotas } from '../../shared/kube-api/quota/quota-storage.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { createQuotaUsage } from '../../shared/store/limits/quota-usage.ts';
import { createWatchSlots } from '../../shared/store/limits/watch-slots.ts';
import { createDynamoStorage } from '../../shared/store/objects/dynamo-storage.ts';
import { makeAnswer } from '../api/gateway/answer.ts';
import { makeLimitWatches } from '../api/gateway/limit-watches.ts';
import { logRequests } from '../api/gateway/log-requests.ts';
import { measureRequests } from '../api/gateway/measure-requests.ts';
import type { ProxyAnswer, ProxyEvent } from '../api/gateway/proxy-event.ts';
import { WATCHES } from '../api/gateway/redirect-watch.ts';
import { NO_SEALER } from '../no-sealer.ts';
import { quoteNothing } from '../observed.ts';
import { powertools } from '../powertools.ts';
import { createWatchApi } from './app.ts';

const { table, watchesPerPrincipal } = readConfig(process.env, ['table', 'watchesPerPrincipal']);
const watches = process.env[ENV.watches];
const observability = powertools();
const { log } = observability;
const client = createDynamoDbClient();
const access = { client, table, clock, random };
const limitWatches = makeLimitWatches(createWatchSlots({ ...access, log }), {
  perPrincipal: Number(watchesPerPrincipal),
  all: watches ? Number(watches) : undefined,
  pool: WATCHES,
});
const storage = withQuotas(createDynamoStorage({ ...access, sealer: NO_SEALER }), {
  usage: createQuotaUsage({ client, table, clock }),
  clock,
  onFailure: (error) => log.warn('A quota counts too much for a while', { error: String(error) }),
});
const api = createWatchApi({
  kinds: KINDS,
  storage,
  clock,
  random,
  log,
  translateError: translateAwsError,
  limitWatches,
  callConversion: makeConversionCall({ deadline: systemDeadline, reach: readReach(process.env) }),
});

export const handler = middy<ProxyEvent, ProxyAnswer>({ executionMode: executionModeStreamifyResponse })
  .use([...observability.middlewares])
  .use(measureRequests({ metrics: observability.metrics, clock, isTimed: false }))
  .use(logRequests({ log, clock }))
  .use(quoteNothing)
  .handler(makeAnswer({ api, log }));
