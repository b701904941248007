import type { DriftKind, DriftPolicy } from '../../kinds/rules/drift-policy.ts';
import type { ConditionClaim } from '../status/conditions.ts';

/** Windlass's own condition of a Machine: whether its instance differs from its spec. Good when False. */
export const DRIFTED = 'windlass.dev/Drifted';

/**
 * Windlass's own conditions of a Cluster: whether a part of its infrastructure differs from the desired state. Good
 * when False.
 */
export const PART_DRIFTED = {
  network: 'windlass.dev/NetworkDrifted',
  natGateways: 'windlass.dev/NatGatewaysDrifted',
  loadBalancer: 'windlass.dev/LoadBalancerDrifted',
  instances: 'windlass.dev/InstancesDrifted',
} as const;

export type DriftCondition = typeof DRIFTED | (typeof PART_DRIFTED)[keyof typeof PART_DRIFTED];

/** A difference between the account and the objects, and the cluster's policy for its kind. */
export interface Drift {
  kind: DriftKind;
  policy: DriftPolicy;
  /** A sentence without its full stop. */
  message: string;
}

const LATER: Readonly<Record<DriftPolicy, string>> = {
  Repair: 'is repaired',
  Report: 'is only reported',
  Adopt: 'is adopted',
};

/** The condition about one or more drifts: the reason is the kind of the first. */
export const driftClaim = (drifts: readonly Drift[], type: DriftCondition = DRIFTED): ConditionClaim => ({
  type,
  status: 'True',
  reason: drifts[0]?.kind ?? 'Drifted',
  message: drifts.map(({ kind, policy, message }) => `${kind}: ${message}; this ${LATER[policy]}`).join('\n'),
});

/** The condition of a part that has drifted before and no longer does. */
export const noDriftClaim = (type: DriftCondition = DRIFTED): ConditionClaim => ({
  type,
  status: 'False',
  reason: 'NoDrift',
});
