import type { LegacyCondition } from '../../../shared/kinds/index.ts';
import type { Condition, KubeObject } from '../../../shared/kube-api/object.ts';

/** A condition of either form: those of AWS kinds have a severity and may lack a reason. */
export type AnyCondition = Pick<Condition, 'type' | 'status'> &
  Partial<Pick<Condition, 'lastTransitionTime'>> &
  Partial<LegacyCondition>;

/** Conditions that are False while nothing happens. */
const NEGATIVE: ReadonlySet<string> = new Set([
  'Deleting',
  'Paused',
  'Remediating',
  'RollingOut',
  'ScalingDown',
  'ScalingUp',
  'Updating',
]);

/** Conditions that repeat what conditions of other objects, or of the same object, say in detail. */
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

export const isNegative = ({ type }: AnyCondition): boolean => NEGATIVE.has(type);

export const isSummary = ({ type }: AnyCondition): boolean => SUMMARIES.has(type);

/** Whether a condition has the status that it has on a healthy object at rest. */
export const isGood = (condition: AnyCondition): boolean =>
  isNegative(condition) ? condition.status !== 'True' : condition.status === 'True';

export const isTrue = (object: KubeObject | undefined, type: string): boolean =>
  conditionsOf(object).some((condition) => condition.type === type && condition.status === 'True');
