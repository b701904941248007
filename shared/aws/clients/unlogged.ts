interface Stacked {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * The client without the SDK's logging middleware. That copies each input and output field by field even if the logger
 * discards them, which takes a tenth of the processor time of a list of 1,000 objects.
 */
export const unlogged = <C extends Stacked>(client: C): C => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};
