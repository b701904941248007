import { type BrakeLimits, DEFAULT_LIMITS, isBraked, type NamespaceTally, summaryOf } from './brake.ts';
import type { Look } from './finding.ts';

/** The combined result for the machines of one part of a fleet. */
export interface Judgement<Finding> {
  readonly findings: readonly Finding[];
  /**
   * Namespaces in which so much looks lost at once that the sweep is probably at fault: nothing may be changed there
   * because of it.
   */
  readonly suspended: ReadonlySet<string>;
  /** How many of the `considered` machines look lost. */
  readonly lost: number;
  readonly considered: number;
}

type AnyLook = Look<{ readonly isLost: boolean }>;

const isLost = ({ finding }: AnyLook): boolean => finding?.isLost === true;

const namespaceOf = ({ known }: AnyLook): string => known.machine.metadata.namespace ?? '';

/** The namespaces in which the evidence is not believed. */
const suspendedNamespaces = (looks: readonly AnyLook[], limits: BrakeLimits): ReadonlySet<string> => {
  const tallies = [...Map.groupBy(looks, namespaceOf)].map(
    ([namespace, own]): NamespaceTally => ({
      namespace,
      considered: own.length,
      broken: own.filter(isLost).length,
    }),
  );
  const summary = summaryOf(tallies);
  return new Set(tallies.flatMap(({ namespace }) => (isBraked(summary, namespace, limits) ? [namespace] : [])));
};

/** The combined result for the machines of one part of a fleet, such as an account in a region. */
export const judgeLooks = <Finding extends { readonly isLost: boolean }>(
  looks: readonly Look<Finding>[],
  limits: BrakeLimits = DEFAULT_LIMITS,
): Judgement<Finding> => ({
  findings: looks.flatMap(({ finding }) => finding ?? []),
  suspended: suspendedNamespaces(looks, limits),
  lost: looks.filter(isLost).length,
  considered: looks.length,
});
