import type { DriftKind, DriftPolicy } from '../../kinds/rules/drift-policy.ts';
import type { ConditionClaim } from '../status/conditions.ts';

/** Ours, of a Machine and of a Cluster: whether the account differs from the objects. Good when False. */
export const DRIFTED = 'windlass.dev/Drifted';

/** A difference between the account and the objects, and the cluster's policy for its kind. */
export interface Drift {
  kind: DriftKind;
  policy: DriftPolicy;
  /** As a sentence without its end. */
  message: string;
}

const LATER: Readonly<Record<DriftPolicy, string>> = {
  Repair: 'is repaired',
  Report: 'is only reported',
  Adopt: 'is adopted',
};

/** The condition about one or more drifts: the reason is the kind of the first. */
export const driftClaim = (drifts: readonly Drift[]): ConditionClaim => ({
  type: DRIFTED,
  status: 'True',
  reason: drifts[0]?.kind ?? 'Drifted',
  message: drifts.map(({ kind, policy, message }) => `${kind}: ${message}; this ${LATER[policy]}`).join('\n'),
});

/** The condition of what has drifted before and does not any more. */
export const noDriftClaim: ConditionClaim = { type: DRIFTED, status: 'False', reason: 'NoDrift' };
