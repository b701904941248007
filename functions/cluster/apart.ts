import { mapIsolated } from '../../shared/store/concurrency.ts';

/**
 * Work of one pass on several objects. A failure of one object does not stop the others. It fails the step once all are
 * done, so that it is reported and retried.
 */
export interface Apart {
  /** Works on all items, at most `atOnce` at a time. Failed items have no result. */
  each<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>, atOnce?: number): Promise<R[]>;
  /** The result of `work`, or `otherwise` if it fails. */
  attempt<R>(work: () => Promise<R>, otherwise: R): Promise<R>;
  /** Throws the first failure, if there was one. */
  rethrow(): void;
}

/** The failures of one run of a step. */
export const workApart = (): Apart => {
  const failures: { error: unknown }[] = [];
  const note = (error: unknown): void => {
    failures.push({ error });
  };
  return {
    each: (items, work, atOnce = items.length) => mapIsolated(items, atOnce, work, (_, error) => note(error)),
    attempt: async (work, otherwise) => {
      try {
        return await work();
      } catch (error) {
        note(error);
        return otherwise;
      }
    },
    rethrow: () => {
      const [first] = failures;
      if (first) throw first.error;
    },
  };
};
