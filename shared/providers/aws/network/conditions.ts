import type { LegacyCondition } from '../../../kinds/index.ts';
import type { LegacyClaim } from '../../../plan/status/legacy-conditions.ts';
import type { DriverCondition } from './driver.ts';
import { DRIVERS, driverOf, operationOf } from './drivers.ts';
import type { DesiredNetwork, NetworkAction, NetworkCondition, NetworkProblem, ObservedNetwork } from './model.ts';
import { COMING } from './nat-gateways/model.ts';
import type { NetworkFailure } from './reasons.ts';

/** The AWSCluster's conditions, with upstream's types and reasons (CAPA api/v1beta2 conditions_consts). */

const CONDITIONS: readonly DriverCondition[] = DRIVERS.flatMap(({ condition }) => condition ?? []);

/** Upstream's reason if a part of a condition has failed. */
export const failureOf = (type: NetworkCondition): NetworkFailure =>
  CONDITIONS.find((condition) => condition.type === type)?.failed ?? 'VpcReconciliationFailed';

const OF_KIND = new Map(DRIVERS.flatMap(({ kind, condition }) => (kind && condition ? [[kind, condition.type]] : [])));

/** The condition to which an action belongs. */
export const conditionOf = (action: NetworkAction): NetworkCondition => {
  if (action.type === 'CreateTags') return OF_KIND.get(action.kind) ?? 'VpcReady';
  return operationOf(action).conditionOf?.(action) ?? driverOf(action).condition?.type ?? 'VpcReady';
};

/**
 * The conditions of the network step that apply to this cluster; the condition of the NAT gateways belongs to another
 * step. If one of the `known` conditions is False, it still applies although the spec no longer contains what has
 * failed: otherwise it would stay False.
 */
export const networkConditions = (
  desired: DesiredNetwork,
  known: readonly LegacyCondition[] = [],
): NetworkCondition[] => {
  const failed = new Set(known.filter(({ status }) => status === 'False').map(({ type }) => type));
  return DRIVERS.filter(({ step }) => step !== 'natGateways').flatMap(({ condition }) =>
    condition && (failed.has(condition.type) || (condition.isAskedFor?.(desired) ?? true)) ? [condition.type] : [],
  );
};

export const readyClaim = (type: string): LegacyClaim => ({ type, status: 'True' });

/** Claims that something has failed and that only a user or another account can help. */
export const failedClaim = (type: NetworkCondition, message: string): LegacyClaim => ({
  type,
  status: 'False',
  severity: 'Error',
  reason: failureOf(type),
  message,
});

const pending = (type: string, reason: string, message: string): LegacyClaim => ({
  type,
  status: 'False',
  severity: 'Info',
  reason,
  message,
});

const WAITS = 'Waiting for the VPC and its subnets';

/** Parts that were not checked yet, so that the summary does not become Ready too early. */
export const PENDING_CLAIMS: readonly LegacyClaim[] = [
  pending('VpcReady', 'VpcCreationStarted', 'The VPC is not created yet'),
  pending('NatGatewaysReady', 'NatGatewaysCreationStarted', WAITS),
  pending('LoadBalancerReady', 'WaitForDNSName', WAITS),
];

/** Claims that AWS is still creating what was requested. */
export const comingClaim = ({ condition, message }: NetworkProblem): LegacyClaim =>
  pending(condition, 'NatGatewaysCreationStarted', message);

/** Whether a condition is that of `comingOf` (nat-gateways), and not the one before any request. */
export const saysComing = ({ type, reason, message = '' }: LegacyCondition): boolean =>
  type === 'NatGatewaysReady' && reason === 'NatGatewaysCreationStarted' && message.startsWith(COMING);

const STARTED: readonly LegacyClaim[] = [
  pending('NatGatewaysReady', 'NatGatewaysCreationStarted', 'The NAT gateways are being created'),
  pending('LoadBalancerReady', 'WaitForDNSName', 'The load balancer is being created'),
];

/** Conditions that wait for the network to exist: then the creation starts. */
export const startedClaims = (conditions: readonly LegacyCondition[] | undefined): readonly LegacyClaim[] =>
  STARTED.filter(({ type }) => conditions?.some((one) => one.type === type && one.message === WAITS));

/** If a deletion is blocked for this long, it is reported as failed, but still retried. */
export const DELETION_PATIENCE_SECONDS = 900;

const remaining = (observed: ObservedNetwork): [NetworkCondition, number][] =>
  CONDITIONS.flatMap(({ type, remaining }): [NetworkCondition, number][] => {
    const count = remaining(observed);
    return count === undefined ? [] : [[type, count]];
  });

/** The conditions of a deletion: what is gone, what is being deleted, and what blocks it. */
export const deletionClaims = (
  observed: ObservedNetwork,
  blockers: readonly string[],
  isOverdue: boolean,
): LegacyClaim[] => {
  const counts = remaining(observed);
  // A blocker after the network is gone, such as a volume in use, is reported in the first condition, where users look
  // first.
  const isAfter = blockers.length > 0 && counts.every(([, count]) => count === 0);
  return counts.map(([type, count]): LegacyClaim => {
    const base = { type, status: 'False' } as const;
    if (count === 0 && !(isAfter && type === 'VpcReady'))
      return { ...base, severity: 'Info', reason: 'Deleted', message: 'Deleted' };
    const message = blockers.length > 0 ? `Waiting for ${blockers.join('; ')}` : 'Being deleted';
    return isOverdue
      ? { ...base, severity: 'Warning', reason: 'DeletingFailed', message }
      : { ...base, severity: 'Info', reason: 'Deleting', message };
  });
};
