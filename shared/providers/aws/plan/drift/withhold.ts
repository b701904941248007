import type { AWSCluster } from '../../../../kinds/index.ts';
import type { DriftKind, DriftPolicies, DriftPolicy } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';

/** A plan as its planner made it, of whatever part of the infrastructure. */
interface PlanOf<A> {
  actions: readonly A[];
}

export interface DriftFacts<A> {
  /** What kind of drift an action would repair. */
  kindOf: (action: A) => DriftKind;
  /** What the action would do, as a sentence without its end. */
  describe: (action: A) => string;
  policies: DriftPolicies;
  /** Whether what the kind concerns was complete as it is asked for: then what is missing now was changed by others. */
  isSettled: (kind: DriftKind) => boolean;
  /** How the objects would ask for what the action would undo; undefined where they cannot. */
  adopt?: (action: A) => Adoption | undefined;
}

/** The AWSCluster as it asks for what was found. */
export type Adoption = (current: AWSCluster) => AWSCluster;

export interface Withheld<P> {
  /** The plan with the actions that may be carried out. */
  plan: P;
  /** All that has drifted, whether it is repaired or not. */
  drifts: Drift[];
  /** To be written down in place of what was left out. */
  adoptions: Adoption[];
}

/**
 * Leaves out of a plan what would undo changes that the cluster's policies only report, or adopt. What was to be adopted
 * and cannot is reported: who asked to keep changes does not want them undone. While the objects ask for more than was
 * ever there (a new cluster, a changed spec), nothing is drift.
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
