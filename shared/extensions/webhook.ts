/** Calls of admission and conversion webhooks over HTTPS. */
import { tryJson } from '../decode/json.ts';
import { WebhookFault } from '../kube-api/webhooks/errors.ts';
import type { CallWebhook } from '../kube-api/webhooks/invocation.ts';
import { ConnectionFault } from '../workload/faults.ts';
import { type HttpsOptions, makePost, type PostAnswer } from './post.ts';

/**
 * Posts a review to the URL of a webhook, with the timeout in the same form as in upstream. Throws a WebhookFault in
 * upstream's form, which begins with `start`. The body of a response with another status than 200 is not quoted,
 * because clients of the API see the error.
 */
const makeCall = (options: HttpsOptions, start: string): CallWebhook => {
  const post = makePost(options);
  return async ({ clientConfig, body, timeoutSeconds }) => {
    const url = `${clientConfig.url}?timeout=${timeoutSeconds}s`;
    const failed = (why: string): WebhookFault => new WebhookFault(`${start}Post ${JSON.stringify(url)}: ${why}`);
    const answer = await post({
      ...{ url, body, timeoutSeconds, authority: 'clientConfig.caBundle', late: 'context deadline exceeded' },
      caBundle: clientConfig.caBundle || undefined,
    }).catch((error: unknown): PostAnswer => {
      if (error instanceof ConnectionFault) throw failed(error.message);
      throw error;
    });
    if (answer.code !== 200) throw failed(`the webhook answered with status code ${answer.code}`);
    const read = tryJson(answer.text);
    if (read === undefined) throw failed('the answer of the webhook is not JSON');
    return read;
  };
};

/** Calls admission webhooks. */
export const makeWebhookCall = (options: HttpsOptions): CallWebhook => makeCall(options, 'failed to call webhook: ');

/** Calls the conversion webhooks of CustomResourceDefinitions. */
export const makeConversionCall = (options: HttpsOptions): CallWebhook => makeCall(options, '');
