import middy from '@middy/core';
import { withoutQuotes } from '../shared/decode/describe-error.ts';
import type { AnyMiddleware, Observability } from './powertools.ts';

/** Removes quoted values from a function's error, which goes to its log and to its caller. */
export const quoteNothing: AnyMiddleware = {
  onError: (request) => {
    request.error = withoutQuotes(request.error);
  },
};

/** A handler without steps. Its invocations are named in the log and measured. */
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
