import middy from '@middy/core';
import type { Observability } from './powertools.ts';

/** A handler without steps, whose invocations are named in the log and measured. */
export const observed = <Event, Answer>(
  { middlewares }: Pick<Observability, 'middlewares'>,
  run: (event: Event) => Promise<Answer>,
): ((event: Event, context?: unknown) => Promise<Answer>) => {
  const handler = middy<Event, Answer>()
    .use([...middlewares])
    .handler(run);
  return async (event, context) => handler(event, (context ?? {}) as Parameters<typeof handler>[1]);
};
