import type middy from '@middy/core';
import type { Clock } from '../../../shared/clock.ts';
import { describeError } from '../../../shared/decode/describe-error.ts';
import type { Log } from '../../../shared/log.ts';
import type { ProxyAnswer, ProxyEvent } from './proxy-event.ts';

/**
 * Logs one line for each request when its response begins: for a watch, at its start. Bodies and queries are not
 * logged.
 */
export const logRequests = ({
  log,
  clock,
}: {
  log: Log;
  clock: Clock;
}): middy.MiddlewareObj<ProxyEvent, ProxyAnswer> => {
  const started = new WeakMap<object, number>();
  const line = (request: { event: ProxyEvent }): Log => {
    const { httpMethod: method, path, requestContext } = request.event;
    const now = clock.now().getTime();
    const milliseconds = now - (started.get(request) ?? now);
    return log.with({ method, path, requestId: requestContext?.requestId, milliseconds });
  };
  return {
    before: (request) => {
      started.set(request, clock.now().getTime());
    },
    // The braces matter: a value that a middleware returns would replace the response.
    after: (request) => {
      line(request).info('request answered', { status: request.response?.statusCode });
    },
    onError: (request) => {
      line(request).error('request failed', describeError(request.error));
    },
  };
};
