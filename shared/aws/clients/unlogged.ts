interface Stacked {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * The client without the SDK's middleware for logs, which copies each input and each output field by field, also for the
 * logger that drops them: a tenth of the processor time of a list of 1,000 objects.
 */
export const unlogged = <C extends Stacked>(client: C): C => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};
