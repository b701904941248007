import type { LegacyCondition } from '../../../shared/kinds/index.ts';
import type { Condition, KubeObject } from '../../../shared/kube-api/object.ts';

/** A condition of either form: those of AWS kinds have a severity and may lack a reason. */
export type AnyCondition = Pick<Condition, 'type' | 'status'> &
  Partial<Pick<Condition, 'lastTransitionTime'>> &
  Partial<LegacyCondition>;

/** Conditions that are False on a healthy object, and whose True is a problem. */
const HINDRANCES: ReadonlySet<string> = new Set([
  'Deleting',
  'Paused',
  'windlass.dev/Drifted',
  'windlass.dev/ImagesAtRisk',
  'windlass.dev/InstanceAtRisk',
  'windlass.dev/InstancesDrifted',
  'windlass.dev/LoadBalancerDrifted',
  'windlass.dev/NatGatewaysDrifted',
  'windlass.dev/NetworkDrifted',
  'windlass.dev/SweepFailed',
]);

/** Conditions that are False at rest, and True while work is in progress. */
const ACTIVITIES: ReadonlySet<string> = new Set([
  'Remediating',
  'RollingOut',
  'ScalingDown',
  'ScalingUp',
  'Updating',
  'windlass.dev/ChainedUpgrade',
]);

/** Conditions that repeat what other conditions, of the same object or of others, report in detail. */
const SUMMARIES: ReadonlySet<string> = new Set([
  'Available',
  'ControlPlaneAvailable',
  'ControlPlaneComponentsHealthy',
  'ControlPlaneInitialized',
  'ControlPlaneMachinesReady',
  'ControlPlaneMachinesUpToDate',
  'EtcdClusterHealthy',
  'InfrastructureReady',
  'MachinesReady',
  'MachinesUpToDate',
  'Ready',
  'UpToDate',
  'WorkerMachinesReady',
  'WorkerMachinesUpToDate',
  'WorkersAvailable',
]);

export const conditionsOf = (object: KubeObject | undefined): readonly AnyCondition[] =>
  (object as { status?: { conditions?: AnyCondition[] } } | undefined)?.status?.conditions ?? [];

/** Whether a condition that is True is a problem. */
export const isHindrance = ({ type }: AnyCondition): boolean => HINDRANCES.has(type);

/** Whether a condition is False on a healthy object at rest. */
export const isNegative = (condition: AnyCondition): boolean =>
  isHindrance(condition) || ACTIVITIES.has(condition.type);

/** The object that a summary would describe does not exist, and no other condition says so. */
const MISSING = /^Object(?:Deleted|DoesNotExist)$/;

export const isMissing = ({ reason = '' }: AnyCondition): boolean => MISSING.test(reason);

export const isSummary = (condition: AnyCondition): boolean => SUMMARIES.has(condition.type) && !isMissing(condition);

/** Conditions about work in progress that report what it waits for; the first one that does is shown. */
const HOLDABLE = ['ScalingUp', 'RollingOut', 'ScalingDown'];

/** What work in progress waits for is on separate lines: a list, or lines after this one. */
const HELD = /:\n\* |\nIt waits:\n/;

/** The condition that shows why an object's machines are not being created or replaced; undefined if they are. */
export const heldOf = (object: KubeObject): AnyCondition | undefined =>
  HOLDABLE.map((type) => conditionsOf(object).find((condition) => condition.type === type)).find(
    (condition) => condition?.status === 'True' && HELD.test(condition.message ?? ''),
  );

/** Whether a condition has the status that it has on a healthy object at rest. */
export const isGood = (condition: AnyCondition): boolean =>
  isNegative(condition) ? condition.status !== 'True' : condition.status === 'True';

export const isTrue = (object: KubeObject | undefined, type: string): boolean =>
  conditionsOf(object).some((condition) => condition.type === type && condition.status === 'True');

/**
 * Conditions about differences between the account and the objects, with the part that differs. Machines have the
 * first.
 */
const DRIFTS: Readonly<Record<string, string>> = {
  'windlass.dev/Drifted': 'instance',
  'windlass.dev/NetworkDrifted': 'network',
  'windlass.dev/NatGatewaysDrifted': 'NAT gateways',
  'windlass.dev/LoadBalancerDrifted': 'load balancer',
  'windlass.dev/InstancesDrifted': 'unknown instances',
};

/** How an object differs from the account, as text: its conditions about drift that are True. */
export const driftsOf = (object: KubeObject | undefined): string[] =>
  conditionsOf(object).flatMap(({ type, status }) => (status === 'True' ? (DRIFTS[type] ?? []) : []));
