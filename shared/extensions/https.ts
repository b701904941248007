/** Calls of extensions over HTTPS: only the CA bundle is trusted. */
import { tryJson } from '../decode/json.ts';
import { hookPath } from '../plan/hooks/catalog.ts';
import { UnansweredError } from '../plan/hooks/error.ts';
import { ConnectionFault } from '../workload/faults.ts';
import { type HttpsOptions, makePost, type PostAnswer } from './post.ts';
import type { CallExtension, ExtensionCall } from './transport.ts';

const failed = (why: string): UnansweredError => new UnansweredError(`http call failed: ${why}`);

/** `https://host/prefix` followed by the path of the hook, with the timeout in the same form as in upstream. */
const urlOf = ({ config, hook, handler, timeoutSeconds }: ExtensionCall): string => {
  const { host, pathname } = new URL(config.spec.clientConfig.url ?? '');
  return `https://${host}${pathname.replace(/\/+$/, '')}${hookPath(hook, handler)}?timeout=${timeoutSeconds}s`;
};

const bodyOf = ({ code, text }: PostAnswer): unknown => {
  if (code !== 200) throw failed(`got response with status code ${code} != 200`);
  const body = tryJson(text);
  if (body === undefined) throw failed('failed to decode response');
  return body;
};

/**
 * The body of a response with another status than 200 is not quoted, because tenants see the condition that shows the
 * error.
 */
export const makeHttpsCall = (options: HttpsOptions): CallExtension => {
  const post = makePost(options);
  return async (call) => {
    const { timeoutSeconds, request: body } = call;
    try {
      const answer = await post({
        ...{ url: urlOf(call), body, timeoutSeconds },
        // Extensions are only called with a bundle. Without one, nothing is trusted.
        caBundle: call.config.spec.clientConfig.caBundle ?? '',
        authority: 'spec.clientConfig.caBundle',
        late: 'http request timeout expired',
      });
      return bodyOf(answer);
    } catch (error) {
      if (error instanceof ConnectionFault) throw failed(error.message);
      throw error;
    }
  };
};
