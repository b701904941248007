import type { KubeObject } from '../kube-api/object.ts';
import { makeReadBudget, type ReadLimits } from '../kube-api/storage/read-budget.ts';
import { weigh } from './exposition.ts';
import type { StateMetrics } from './family.ts';

/** An object whose metrics cannot be computed. */
export interface Failure<T> {
  readonly object: T;
  readonly error: unknown;
}

export interface WithinLimits<T> {
  readonly objects: readonly T[];
  /** The namespaces whose objects are left out, because their metrics are too large. */
  readonly tooLarge: readonly string[];
  readonly failures: readonly Failure<T>[];
}

/**
 * The objects of a kind whose metrics are shown. A namespace with too many of them is left out as a whole: with only a
 * part of them, sums would be wrong. If all namespaces together have too many, the largest is left out.
 */
export const withinLimits = <T extends KubeObject>(
  kind: StateMetrics<T>,
  all: readonly T[],
  limits: ReadLimits,
): WithinLimits<T> => {
  const budget = makeReadBudget(limits);
  const failures: Failure<T>[] = [];
  const namespaceOf = ({ metadata }: T): string => metadata.namespace ?? '';
  const weighed = all.filter((object) => {
    const namespace = namespaceOf(object);
    try {
      return !budget.isLeftOut(namespace) && budget.charge(namespace, weigh(kind, object));
    } catch (error) {
      failures.push({ object, error });
      return false;
    }
  });
  return {
    objects: weighed.filter((object) => !budget.isLeftOut(namespaceOf(object))),
    tooLarge: [...budget.exceeded().keys()],
    failures,
  };
};
