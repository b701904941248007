/**
 * Runs `work` on every item, with at most `limit` running concurrently. The results are in the order of the items.
 * Rejects at the first failure.
 */
export const mapConcurrently = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
};

/**
 * Like mapConcurrently, but an item whose work fails stops no other: it is passed to `onFailure` and has no result.
 * Rejects if `onFailure` throws.
 */
export const mapIsolated = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => R | Promise<R>,
  onFailure: (item: T, error: unknown) => void,
): Promise<R[]> => {
  const results = await mapConcurrently(items, limit, async (item): Promise<R[]> => {
    try {
      return [await work(item)];
    } catch (error) {
      onFailure(item, error);
      return [];
    }
  });
  return results.flat(1) as R[];
};
