/** Whether the parts of a cluster are in their desired state, or something will start the pass that gets them there. */
import type { Cluster, Machine, MachineSet } from '../../../../shared/kinds/index.ts';
import type { Condition, KubeObject } from '../../../../shared/kube-api/object.ts';
import { areBootstrapTokensSettled } from '../../../../shared/plan/control-plane/bootstrap-tokens.ts';
import { retryTimes } from '../../../../shared/plan/control-plane/retry-limits.ts';
import { areUpgradeTasksSettled } from '../../../../shared/plan/control-plane/upgrade-tasks.ts';
import { awaitsRemediation, isRemediationDeferred } from '../../../../shared/plan/health/machine.ts';
import { ANNOTATION } from '../../../../shared/plan/labels.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { findCondition, isTrue } from '../../../../shared/plan/status/conditions.ts';
import { countUpdating } from '../../../../shared/plan/status/counts.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { heldBy } from '../../../../shared/plan/topology/hooks/upgrade.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';
import { isMachinePaused } from '../../paused-parts.ts';
import { type ClusterSnapshot, controlPlaneMachines, isControlledBy } from '../../snapshot.ts';

/** An outdated machine is replaced when the others are healthy, which no event reports. */
export const isControlPlaneSettled = (snapshot: ClusterSnapshot): boolean => {
  const { controlPlane, distribution, upgrade } = snapshot;
  if (!controlPlane) return true;
  // The writes of its provider start passes.
  if (distribution?.isOutside) return controlPlane.status?.initialization?.controlPlaneInitialized === true;
  if (!areBootstrapTokensSettled(controlPlane)) return false;
  if (isObjectPaused(controlPlane)) return true;
  // The next step of an upgrade may begin; a waiting upgrade is resumed by an event.
  if (upgrade && upgrade.version !== upgrade.target && upgrade.waits.length === 0) return false;
  const { replicas, upToDateReplicas = 0 } = controlPlane.status ?? {};
  const current = upToDateReplicas + countUpdating(controlPlaneMachines(snapshot));
  const isThere = replicas === (controlPlane.spec.replicas ?? 1) && current === replicas;
  return isThere && areUpgradeTasksSettled(controlPlane);
};

/** Whether an upgrade waits for a user to remove an annotation, which starts a pass. */
const isHeldBack = (cluster: Cluster, { reason, message = '' }: Condition): boolean => {
  const held = heldBy(cluster);
  return reason.endsWith('UpgradeDeferred') || (held !== undefined && message.includes(held));
};

/** A topology continues once its changes are complete, unless it waits for a user. */
export const isTopologySettled = (cluster: Cluster): boolean => {
  if (!cluster.spec.topology) return true;
  const found = findCondition(cluster.status?.conditions, 'TopologyReconciled');
  return found !== undefined && (found.status === 'True' || isHeldBack(cluster, found));
};

/**
 * Whether a MachineDeployment of the topology is missing, because a user has deleted it: it is created again, but no
 * event reports that its deletion is complete.
 */
export const lacksDeployment = ({ cluster, deployments }: ClusterSnapshot): boolean => {
  if (!isTrue(cluster.status?.conditions, 'TopologyReconciled')) return false;
  const present = new Set(deployments.map(({ metadata }) => metadata.labels?.[TOPOLOGY_LABEL.deploymentName]));
  return (cluster.spec.topology?.workers?.machineDeployments ?? []).some(({ name }) => !present.has(name));
};

/** Whether a set without a MachineDeployment has the desired number of machines, or may create none now. */
const isSetSettled = (set: MachineSet): boolean =>
  set.metadata.deletionTimestamp !== undefined ||
  isObjectPaused(set) ||
  set.metadata.annotations?.[ANNOTATION.disableMachineCreate] === 'true' ||
  set.status?.replicas === (set.spec.replicas ?? 1);

/** Whether all such sets are settled; those of a MachineDeployment are counted with it. */
export const areSetsSettled = ({ sets, deployments }: ClusterSnapshot): boolean =>
  sets.filter((set) => !deployments.some((owner) => isControlledBy(set, owner))).every(isSetSettled);

/**
 * The times at which the limits of the control plane's remediation may permit the replacement of a machine that they
 * currently protect.
 */
const retryTimesOf = ({ controlPlane, distribution }: ClusterSnapshot, machine: Machine, now: Date): Date[] => {
  const isOpen = controlPlane && distribution && !distribution.isOutside && !isObjectPaused(controlPlane);
  if (!isOpen || machine.metadata.deletionTimestamp || !awaitsRemediation(machine)) return [];
  return isControlledBy(machine, controlPlane) ? retryTimes(machine, distribution.remediation(controlPlane), now) : [];
};

/** The times for all machines. */
export const remediationTimes = (snapshot: ClusterSnapshot, now: Date): Date[] =>
  isPaused(snapshot.cluster) ? [] : snapshot.machines.flatMap((machine) => retryTimesOf(snapshot, machine, now));

/** The owner on whose behalf a pass remediates a machine. An external control plane remediates without Windlass. */
const ownerOf = ({ controlPlane, distribution, sets }: ClusterSnapshot, machine: Machine): KubeObject | undefined =>
  [...(controlPlane && !distribution?.isOutside ? [controlPlane] : []), ...sets].find((owner) =>
    isControlledBy(machine, owner),
  );

/**
 * Whether an unhealthy machine will be replaced later, after a cause that may end without an event, for example if etcd
 * did not answer. Its node may be ready, so nothing else keeps the cluster from being settled.
 */
export const awaitsReplacement = (snapshot: ClusterSnapshot, now: Date): boolean => {
  const isOpen = (machine: Machine): boolean => {
    const owner = ownerOf(snapshot, machine);
    const infrastructure = snapshot.infrastructureMachines.get(machine.metadata.name);
    return owner !== undefined && !isObjectPaused(owner) && !isMachinePaused(machine, infrastructure);
  };
  return snapshot.machines.some(
    (machine) => isRemediationDeferred(machine) && isOpen(machine) && retryTimesOf(snapshot, machine, now).length === 0,
  );
};
