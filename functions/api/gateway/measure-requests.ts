import type middy from '@middy/core';
import type { Clock } from '../../../shared/clock.ts';
import type { Metrics } from '../../../shared/metrics.ts';
import type { ProxyAnswer, ProxyEvent } from './proxy-event.ts';

const VERBS: Readonly<Record<string, string>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const isWatch = ({ multiValueQueryStringParameters: query }: ProxyEvent): boolean =>
  ['true', '1'].includes(query?.watch?.[0] ?? '');

const verbOf = (event: ProxyEvent): string => (isWatch(event) ? 'watch' : (VERBS[event.httpMethod] ?? 'other'));

const isRedirect = (code: number): boolean => code >= 300 && code < 400;

/**
 * Counts requests by verb and status class, and measures the time until each response begins. A redirected watch is
 * counted by the other function, so that no metric is paid for twice.
 */
export const measureRequests = ({
  metrics,
  clock,
  isTimed = true,
}: {
  metrics: Metrics;
  clock: Clock;
  /** False if a slow start must not raise an alarm. */
  isTimed?: boolean;
}): middy.MiddlewareObj<ProxyEvent, ProxyAnswer> => {
  const started = new WeakMap<object, number>();
  const measure = (request: { event: ProxyEvent }, code: number): void => {
    if (isRedirect(code)) return;
    const now = clock.now().getTime();
    if (isTimed) metrics.add('RequestLatency', now - (started.get(request) ?? now));
    metrics.add('Requests', 1, { verb: verbOf(request.event), code: `${Math.floor(code / 100)}xx` });
  };
  return {
    before: (request) => {
      started.set(request, clock.now().getTime());
    },
    after: (request) => {
      measure(request, request.response?.statusCode ?? 500);
    },
    onError: (request) => {
      measure(request, 500);
    },
  };
};
