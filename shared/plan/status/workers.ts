import type { Cluster, Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { formatSelector } from '../../kinds/rules/kubernetes/label-selector.ts';
import { LABEL } from '../labels.ts';
import { boundsOf } from '../rollout/bounds.ts';
import { type ConditionClaim, isTrue, withConditions } from './conditions.ts';
import { countReplicas, countUpdating, countVersions, UPDATING } from './counts.ts';
import { deletingClaim, machinesClaims, rollingOutClaim, scalingClaims } from './owner-claims.ts';
import { pausedClaim } from './paused.ts';
import { remediatingClaim } from './remediating.ts';

/** The facts from which the status of a MachineSet or a MachineDeployment is derived. */
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
    selector: formatSelector(set.spec.selector),
    conditions: withConditions(set.status?.conditions, claims, set.metadata.generation, now),
    observedGeneration: set.metadata.generation,
  } as NonNullable<MachineSet['status']>;
};

/** Like upstream's setAvailableCondition (core/reconcilers/machinedeployment/machinedeployment_status.go). */
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
    selector: formatSelector(deployment.spec.selector),
    phase: phaseOf(claims),
    conditions: withConditions(deployment.status?.conditions, claims, deployment.metadata.generation, now),
    observedGeneration: deployment.metadata.generation,
  } as NonNullable<MachineDeployment['status']>;
};

/**
 * A message if the node of a machine reports another version of the kubelet, usually because its image contains that
 * version. A Machine of a pool takes over the version of its node.
 */
const otherKubelet = ({ metadata, spec, status }: Machine): string | undefined => {
  const kubelet = status?.nodeInfo?.kubeletVersion;
  if (!kubelet || !spec.version || kubelet === spec.version || LABEL.poolName in (metadata.labels ?? {}))
    return undefined;
  return `* Node.status.nodeInfo.kubeletVersion ${kubelet}, ${spec.version} required`;
};

/**
 * UpToDate for a machine that a MachineDeployment or a control plane owns. It depends on the machine's outdated parts,
 * for which it is replaced, and on its node. Standalone machines do not have it.
 */
export const upToDateClaim = (outdated: readonly string[], machine: Machine): ConditionClaim => {
  const type = 'UpToDate';
  if (outdated.length > 0) {
    const message = outdated.map((line) => `* ${line}`).join('\n');
    return { type, status: 'False', reason: 'NotUpToDate', message };
  }
  const message = otherKubelet(machine);
  return message ? { type, status: 'False', reason: UPDATING, message } : { type, status: 'True', reason: type };
};

/** Whether a deployment currently replaces machines by itself. */
const rollsOut = ({ spec }: MachineDeployment): boolean =>
  spec.paused !== true && spec.rollout?.strategy?.type !== 'OnDelete';

/** Whether all machines of a deployment (`machines`) are in the desired state, so that nothing is left to do. */
export const isDeploymentSettled = (deployment: MachineDeployment, machines: readonly Machine[]): boolean => {
  const { spec, status } = deployment;
  const wanted = spec.replicas ?? 1;
  const complete = isTrue(status?.conditions, 'Available') && status?.replicas === wanted;
  const current = (status?.upToDateReplicas ?? 0) + countUpdating(machines);
  return complete && (!rollsOut(deployment) || current === wanted);
};
