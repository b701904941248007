import type { AWSCluster } from '../../../../kinds/index.ts';
import type { DriftKind, DriftPolicies, DriftPolicy } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';

/** A planner's plan for any part of the infrastructure. */
interface PlanOf<A> {
  actions: readonly A[];
}

export interface DriftFacts<A> {
  /** The kind of drift that an action would repair. */
  kindOf: (action: A) => DriftKind;
  /** A sentence, without its full stop, about what the action would do. */
  describe: (action: A) => string;
  policies: DriftPolicies;
  /**
   * Whether the resources of the kind were complete with this desired state: if so, others have changed what is
   * missing.
   */
  isSettled: (kind: DriftKind) => boolean;
  /** How the objects would express the change that the action would revert; undefined if they cannot. */
  adopt?: (action: A) => Adoption | undefined;
}

/** The AWSCluster with the observed state as its desired one. */
export type Adoption = (current: AWSCluster) => AWSCluster;

export interface Withheld<P> {
  /** The plan with the actions that may be carried out. */
  plan: P;
  /** All drift, whether it is repaired or not. */
  drifts: Drift[];
  /** Recorded instead of carrying out the action. */
  adoptions: Adoption[];
}

/**
 * Removes actions from a plan that would revert changes which the cluster's policies only report or adopt. Changes that
 * cannot be adopted are reported: users who adopt changes do not want them reverted. As long as the objects specify
 * more than ever existed (a new cluster, a changed spec), nothing is drift.
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
