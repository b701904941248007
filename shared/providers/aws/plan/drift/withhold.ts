import type { AWSCluster } from '../../../../kinds/index.ts';
import type { DriftKind, DriftPolicies, DriftPolicy } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';

/** A plan from its planner, for any part of the infrastructure. */
interface PlanOf<A> {
  actions: readonly A[];
}

export interface DriftFacts<A> {
  /** What kind of drift an action would repair. */
  kindOf: (action: A) => DriftKind;
  /** What the action would do, as a sentence without its end. */
  describe: (action: A) => string;
  policies: DriftPolicies;
  /**
   * Whether the resources of the kind were complete with this desired state: then missing ones were changed by others.
   */
  isSettled: (kind: DriftKind) => boolean;
  /** How the objects would express what the action would revert; undefined if they cannot. */
  adopt?: (action: A) => Adoption | undefined;
}

/** The AWSCluster with the observed state as its desired one. */
export type Adoption = (current: AWSCluster) => AWSCluster;

export interface Withheld<P> {
  /** The plan with the actions that may be carried out. */
  plan: P;
  /** All that has drifted, whether it is repaired or not. */
  drifts: Drift[];
  /** To be recorded instead of the omitted action. */
  adoptions: Adoption[];
}

/**
 * Omits from a plan what would revert changes that the cluster's policies only report, or adopt. Changes that cannot be
 * adopted are reported: users who adopt changes do not want them reverted. While the objects specify more than ever
 * existed (a new cluster, a changed spec), nothing is drift.
 */
export const withholdDrift = <A, P extends PlanOf<A>>(
  plan: P,
  { kindOf, describe, policies, isSettled, adopt }: DriftFacts<A>,
): Withheld<P> => {
  const judged = plan.actions.map((action) => {
    const kind = kindOf(action);
    if (!isSettled(kind)) return { action };
    const adoption = policies[kind] === 'Adopt' ? adopt?.(action) : undefined;
    const policy: DriftPolicy = policies[kind] === 'Adopt' && !adoption ? 'Report' : policies[kind];
    const drift: Drift = { kind, policy, message: describe(action) };
    return { action, drift, adoption };
  });
  const isLeft = (drift: Drift | undefined) => drift !== undefined && drift.policy !== 'Repair';
  const actions = judged.flatMap(({ action, drift }) => (isLeft(drift) ? [] : [action]));
  return {
    plan: { ...plan, actions },
    drifts: judged.flatMap(({ drift }) => drift ?? []),
    adoptions: judged.flatMap(({ adoption }) => adoption ?? []),
  };
};
