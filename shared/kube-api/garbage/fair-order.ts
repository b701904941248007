const MINUTE_MS = 60_000;

/** Another one is first every minute: when the time is over before the end, the next sweep begins elsewhere. */
export const rotated = <T>(all: readonly T[], now: Date): T[] => {
  const start = all.length === 0 ? 0 : Math.floor(now.getTime() / MINUTE_MS) % all.length;
  return [...all.slice(start), ...all.slice(0, start)];
};

/** One item of each namespace in turn, so that the items of one namespace do not delay those of the others. */
export const inFairOrder = <T>(items: readonly T[], namespaceOf: (item: T) => string, now: Date): T[] => {
  const queues = [...Map.groupBy(items, namespaceOf).values()].map((queue) => rotated(queue, now));
  const turns = rotated(queues, now).flatMap((queue) => queue.map((item, turn) => ({ item, turn })));
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item);
};
