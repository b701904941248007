import type { Cluster, Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { boundsOf } from '../rollout/bounds.ts';
import { type ConditionClaim, isTrue, withConditions } from './conditions.ts';
import { countReplicas, countVersions, selectorText } from './counts.ts';
import { deletingClaim, machinesClaims, rollingOutClaim, scalingClaims } from './owner-claims.ts';
import { pausedClaim } from './paused.ts';
import { remediatingClaim } from './remediating.ts';

/** What the status of a MachineSet or a MachineDeployment is derived from. */
export interface WorkersFacts {
  machines: readonly Machine[];
  /** Why no machines are created. */
  blocked?: string | undefined;
  /** Undefined for an object that was just created. */
  cluster?: Cluster;
}

/** The status of a MachineSet from its machines. */
export const machineSetStatus = (
  set: MachineSet,
  { machines, blocked, cluster }: WorkersFacts,
  now: Date,
): NonNullable<MachineSet['status']> => {
  const deleting = set.metadata.deletionTimestamp !== undefined;
  const claims: ConditionClaim[] = [
    ...machinesClaims(machines),
    ...scalingClaims({ desired: set.spec.replicas ?? 1, machines, deleting, blocked, now }),
    deletingClaim({ deleting, machines, now }, 'Deleting'),
    remediatingClaim(machines, 'MachineSet'),
    pausedClaim(cluster, set),
  ];
  const { versions: _before, ...rest } = set.status ?? {};
  return {
    ...rest,
    ...countReplicas(machines),
    ...countVersions(machines),
    selector: selectorText(set.spec.selector?.matchLabels),
    conditions: withConditions(set.status?.conditions, claims, set.metadata.generation, now),
    observedGeneration: set.metadata.generation,
  } as NonNullable<MachineSet['status']>;
};

/** As upstream's setAvailableCondition (core/reconcilers/machinedeployment/machinedeployment_status.go). */
const whyUnavailable = ({ metadata, spec }: MachineDeployment, available: number, needed: number): string => {
  if (metadata.deletionTimestamp) return 'Deletion in progress';
  const { type, rollingUpdate } = spec.rollout?.strategy ?? {};
  const bounds = `spec.strategy.rollout.maxUnavailable is ${rollingUpdate?.maxUnavailable ?? 0}, spec.replicas is ${spec.replicas ?? 1}`;
  return `${available} available replicas, at least ${needed} required${type === 'OnDelete' ? '' : ` (${bounds})`}`;
};

const availableClaim = (deployment: MachineDeployment, available: number): ConditionClaim => {
  const type = 'Available';
  const { replicas, maxUnavailable } = boundsOf(deployment);
  const needed = replicas - maxUnavailable;
  if (available >= needed) return { type, status: 'True', reason: 'Available' };
  return { type, status: 'False', reason: 'NotAvailable', message: whyUnavailable(deployment, available, needed) };
};

const phaseOf = (claims: readonly ConditionClaim[]): string => {
  if (claims.some(({ type, status }) => type === 'ScalingUp' && status === 'True')) return 'ScalingUp';
  if (claims.some(({ type, status }) => type === 'ScalingDown' && status === 'True')) return 'ScalingDown';
  return 'Running';
};

/** The status of a MachineDeployment from the machines of all its sets. */
export const machineDeploymentStatus = (
  deployment: MachineDeployment,
  { machines, blocked, cluster }: WorkersFacts,
  now: Date,
): NonNullable<MachineDeployment['status']> => {
  const deleting = deployment.metadata.deletionTimestamp !== undefined;
  const counts = countReplicas(machines);
  const claims: ConditionClaim[] = [
    availableClaim(deployment, counts.availableReplicas),
    ...machinesClaims(machines),
    rollingOutClaim({ machines, blocked, deleting }),
    ...scalingClaims({ desired: deployment.spec.replicas ?? 1, machines, deleting, blocked, now }),
    deletingClaim({ deleting, machines, now }, 'Deleting'),
    remediatingClaim(machines, 'MachineDeployment'),
    pausedClaim(cluster, deployment),
  ];
  const { versions: _before, ...rest } = deployment.status ?? {};
  return {
    ...rest,
    ...counts,
    ...countVersions(machines),
    selector: selectorText(deployment.spec.selector?.matchLabels),
    phase: phaseOf(claims),
    conditions: withConditions(deployment.status?.conditions, claims, deployment.metadata.generation, now),
    observedGeneration: deployment.metadata.generation,
  } as NonNullable<MachineDeployment['status']>;
};

/**
 * UpToDate of a machine that a MachineDeployment or a control plane owns, from its outdated parts; standalone machines
 * have none.
 */
export const upToDateClaim = (outdated: readonly string[]): ConditionClaim =>
  outdated.length === 0
    ? { type: 'UpToDate', status: 'True', reason: 'UpToDate' }
    : {
        type: 'UpToDate',
        status: 'False',
        reason: 'NotUpToDate',
        message: outdated.map((line) => `* ${line}`).join('\n'),
      };

/** Whether a deployment replaces machines by itself now. */
const rollsOut = ({ spec }: MachineDeployment): boolean =>
  spec.paused !== true && spec.rollout?.strategy?.type !== 'OnDelete';

/** Whether all machines of a deployment are in the desired state: nothing is left to do. */
export const isDeploymentSettled = (deployment: MachineDeployment): boolean => {
  const { spec, status } = deployment;
  const wanted = spec.replicas ?? 1;
  const complete = isTrue(status?.conditions, 'Available') && status?.replicas === wanted;
  return complete && (!rollsOut(deployment) || status?.upToDateReplicas === wanted);
};
