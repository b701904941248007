import type { Look } from './finding.ts';

/** What the looks at the machines of one part of a fleet come to together. */
export interface Judgement<Finding> {
  readonly findings: readonly Finding[];
  /**
   * Namespaces of which so much looks lost at once that the fault is likely ours: nothing may be changed there on this
   * evidence.
   */
  readonly suspended: ReadonlySet<string>;
  /** Of `considered` machines so many look lost. */
  readonly lost: number;
  readonly considered: number;
}

/** Above this share, and from this number on in a part of a fleet, we take ourselves for broken and not the fleet. */
export const SUSPICIOUS_SHARE = 0.5;
const SUSPICIOUS_COUNT = 5;

type AnyLook = Look<{ readonly isLost: boolean }>;

const isLost = ({ finding }: AnyLook): boolean => finding?.isLost === true;

const namespaceOf = ({ known }: AnyLook): string => known.machine.metadata.namespace ?? '';

/**
 * The namespaces in which the evidence is not believed. If so much looks lost that the fault is likely ours, all stop; but
 * one other namespace alone, whose machines may be lost because its tenant wants them to look so, stops nobody.
 */
const suspendedNamespaces = (looks: readonly AnyLook[]): ReadonlySet<string> => {
  if (looks.filter(isLost).length < SUSPICIOUS_COUNT) return new Set();
  const tallies = [...Map.groupBy(looks, namespaceOf)].map(([namespace, own]) => ({
    namespace,
    considered: own.length,
    lost: own.filter(isLost).length,
  }));
  const byLosses = tallies.toSorted((a, b) => b.lost - a.lost);
  const sum = (key: 'lost' | 'considered') => tallies.reduce((total, one) => total + one[key], 0);
  const all = { lost: sum('lost'), considered: sum('considered') };
  const isSuspended = ({ namespace }: (typeof tallies)[number]): boolean => {
    const worst = byLosses.find((other) => other.namespace !== namespace);
    const lost = all.lost - (worst?.lost ?? 0);
    return lost > (all.considered - (worst?.considered ?? 0)) * SUSPICIOUS_SHARE;
  };
  return new Set(tallies.filter(isSuspended).map(({ namespace }) => namespace));
};

/** What the looks at the machines of one part of a fleet, such as an account in a region, come to together. */
export const judgeLooks = <Finding extends { readonly isLost: boolean }>(
  looks: readonly Look<Finding>[],
): Judgement<Finding> => ({
  findings: looks.flatMap(({ finding }) => finding ?? []),
  suspended: suspendedNamespaces(looks),
  lost: looks.filter(isLost).length,
  considered: looks.length,
});
