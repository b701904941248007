const MINUTE_MS = 60_000;

/**
 * Starts at another item every minute, so that a sweep that ran out of time does not leave the same items for last
 * again.
 */
export const rotated = <T>(all: readonly T[], now: Date): T[] => {
  const start = all.length === 0 ? 0 : Math.floor(now.getTime() / MINUTE_MS) % all.length;
  return [...all.slice(start), ...all.slice(0, start)];
};

/** Takes one item of each namespace in turn, so that one namespace does not delay the others. */
export const inFairOrder = <T>(items: readonly T[], namespaceOf: (item: T) => string, now: Date): T[] => {
  const queues = [...Map.groupBy(items, namespaceOf).values()].map((queue) => rotated(queue, now));
  const turns = rotated(queues, now).flatMap((queue) => queue.map((item, turn) => ({ item, turn })));
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item);
};
