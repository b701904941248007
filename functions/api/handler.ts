/** The Kubernetes API behind API Gateway. Answers are streamed, so that a watch can stay open. */
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { readConfig } from '../../shared/config.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { profilesIn } from '../../shared/plan/launch/profiles.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { createApi } from './app.ts';
import { logRequests } from './log-requests.ts';
import { measureRequests } from './measure-requests.ts';
import { answerOf, basePathOf, type ProxyAnswer, type ProxyEvent, requestOf, userOf } from './proxy-event.ts';

const runtime = makeSealedRuntime(process.env);
const instanceProfiles = profilesIn(readConfig(process.env, ['instanceProfiles']).instanceProfiles);
const api = createApi({ ...runtime, kinds: KINDS, instanceProfiles, translateError: translateAwsError });

export const handler = middy<ProxyEvent, ProxyAnswer>({ executionMode: executionModeStreamifyResponse })
  .use([...runtime.middlewares])
  .use(measureRequests(runtime))
  .use(logRequests(runtime))
  .handler(async (event) => answerOf(await api(requestOf(event), userOf(event), basePathOf(event))));
