import type { DriftKind, DriftPolicies } from '../../kinds/rules/drift-policy.ts';
import type { Drift } from './claims.ts';

/** A plan as its planner made it, of whatever part of the infrastructure. */
interface PlanOf<A> {
  actions: readonly A[];
}

export interface DriftFacts<A> {
  /** What kind of drift an action would mend. */
  kindOf: (action: A) => DriftKind;
  /** What the action would do, as a sentence without its end. */
  describe: (action: A) => string;
  policies: DriftPolicies;
  /** Whether what the kind concerns was complete as it is asked for: then what is missing now was changed by others. */
  isSettled: (kind: DriftKind) => boolean;
}

export interface Withheld<P> {
  /** The plan with the actions that may be carried out. */
  plan: P;
  /** All that has drifted, whether it is repaired or not. */
  drifts: Drift[];
}

/**
 * Leaves out of a plan what would undo changes that the cluster's policies only report. While the objects ask for more
 * than was ever there (a new cluster, a changed spec), nothing is drift.
 */
export const withholdDrift = <A, P extends PlanOf<A>>(
  plan: P,
  { kindOf, describe, policies, isSettled }: DriftFacts<A>,
): Withheld<P> => {
  const judged = plan.actions.map((action) => {
    const kind = kindOf(action);
    const drift: Drift = { kind, policy: policies[kind], message: describe(action) };
    return { action, drift: isSettled(kind) ? drift : undefined };
  });
  const actions = judged.flatMap(({ action, drift }) => (drift?.policy === 'Report' ? [] : [action]));
  return { plan: { ...plan, actions }, drifts: judged.flatMap(({ drift }) => drift ?? []) };
};
