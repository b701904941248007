import type { Cluster } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { nameSome } from '../drain/names.ts';
import { isDeletionHeld } from '../topology/hooks/deletion.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { type ConditionClaim, findCondition } from './conditions.ts';

/** The same number as in upstream's `StringListToString`. */
const MOST_NAMES = 5;

const list = (what: string, objects: readonly KubeObject[]): string[] => {
  const names = objects.map(({ metadata }) => metadata.name).sort();
  return names.length === 0 ? [] : [`* ${what}: ${nameSome(names, MOST_NAMES)}`];
};

/** `Waiting for <kind> to be deleted`, with the object's own message about its deletion. */
const waitingFor = (kind: string, detail: string | undefined): string =>
  `Waiting for ${kind} to be deleted${detail ? `: ${detail}` : ''}`;

/**
 * The condition `Deleting` of a Cluster: what it waits for, in the order of deletion. Reasons and messages are those of
 * upstream (core/reconcilers/cluster, `reconcileDelete` and `objectsPendingDeleteNames`), plus what a control plane and
 * an infrastructure object report about their own deletion.
 */
export const deletingClaim = (cluster: Cluster, facts: ClusterFacts): ConditionClaim => {
  const type = 'Deleting';
  if (!cluster.metadata.deletionTimestamp) return { type, status: 'False', reason: 'NotDeleting' };
  const claim = (reason: string, message: string): ConditionClaim => ({ type, status: 'True', reason, message });
  if (isDeletionHeld(cluster)) return claim('WaitingForBeforeDeleteHook', 'Waiting for BeforeClusterDelete hook');
  const workers = [
    ...list('MachineDeployments', facts.deployments),
    ...list('MachineSets', facts.sets),
    ...list('MachinePools', facts.pools),
    ...list('Worker Machines', facts.workerMachines),
  ];
  if (workers.length > 0) return claim('WaitingForWorkersDeletion', workers.join('\n'));
  if (facts.controlPlane) {
    const { kind, status } = facts.controlPlane;
    const own = findCondition(status?.conditions, 'Deleting');
    const detail = own?.status === 'True' ? own.message : undefined;
    return claim('WaitingForControlPlaneDeletion', waitingFor(kind, detail));
  }
  if (facts.infrastructure) {
    const { kind, status } = facts.infrastructure;
    const ready = status?.conditions?.find((condition) => condition.type === 'Ready');
    const detail = ready?.status !== 'True' ? ready?.message : undefined;
    return claim('WaitingForInfrastructureDeletion', waitingFor(kind, detail));
  }
  return claim('DeletionCompleted', 'Deletion completed');
};
