import middy from '@middy/core';
import { withoutQuotes } from '../shared/decode/describe-error.ts';
import type { AnyMiddleware, Observability } from './powertools.ts';

/** A function's error is in its log, and in the answer to its caller. */
export const quoteNothing: AnyMiddleware = {
  onError: (request) => {
    request.error = withoutQuotes(request.error);
  },
};

/** A handler without steps, whose invocations are named in the log and measured. */
export const observed = <Event, Answer>(
  { middlewares }: Pick<Observability, 'middlewares'>,
  run: (event: Event) => Promise<Answer>,
): ((event: Event, context?: unknown) => Promise<Answer>) => {
  const handler = middy<Event, Answer>()
    .use([...middlewares])
    .use(quoteNothing)
    .handler(run);
  return async (event, context) => handler(event, (context ?? {}) as Parameters<typeof handler>[1]);
};
