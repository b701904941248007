/**
 * The fleet brake. If so much of a fleet looks broken at once that the sweep is probably at fault, nothing is changed
 * because of it. Pure.
 */

/** When the brake applies. */
export interface BrakeLimits {
  /** The brake applies above this share of the observed nodes; from 1 on it never applies. */
  readonly share: number;
  /** The brake applies from this number of broken nodes on. */
  readonly least: number;
}

export interface Tally {
  readonly considered: number;
  readonly broken: number;
}

export interface NamespaceTally extends Tally {
  readonly namespace: string;
}

/** The combined counts of many namespaces: the input of the brake. */
export interface BrakeSummary {
  readonly all: Tally;
  /** The two namespaces with the most broken nodes, the worst first. */
  readonly worst: readonly NamespaceTally[];
}

export const SUSPICIOUS_SHARE = 0.5;

export const DEFAULT_LIMITS: BrakeLimits = { share: SUSPICIOUS_SHARE, least: 5 };

/** `percent`: the setting `fleetBrake`. */
export const brakeLimitsOf = (percent: string): BrakeLimits => ({ ...DEFAULT_LIMITS, share: Number(percent) / 100 });

const sum = (tallies: readonly Tally[]): Tally => ({
  considered: tallies.reduce((total, { considered }) => total + considered, 0),
  broken: tallies.reduce((total, { broken }) => total + broken, 0),
});

const worstOf = (tallies: readonly NamespaceTally[]): NamespaceTally[] =>
  tallies
    .filter(({ broken }) => broken > 0)
    .toSorted((a, b) => b.broken - a.broken)
    .slice(0, 2);

export const summaryOf = (tallies: readonly NamespaceTally[]): BrakeSummary => ({
  all: sum(tallies),
  worst: worstOf(tallies),
});

/** The summary of parts of a fleet that have no namespace in common. */
export const mergeSummaries = (parts: readonly BrakeSummary[]): BrakeSummary => ({
  all: sum(parts.map(({ all }) => all)),
  worst: worstOf(parts.flatMap(({ worst }) => worst)),
});

/**
 * Whether the brake applies to a namespace. If enough is broken, it applies to all namespaces. But a single namespace,
 * whose tenant may fake this, cannot stop the others.
 */
export const isBraked = ({ all, worst }: BrakeSummary, namespace: string, { share, least }: BrakeLimits): boolean => {
  if (share >= 1 || all.broken < least) return false;
  const other = worst.find((one) => one.namespace !== namespace);
  const broken = all.broken - (other?.broken ?? 0);
  return broken > (all.considered - (other?.considered ?? 0)) * share;
};
