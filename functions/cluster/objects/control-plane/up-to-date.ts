import { distributionOf } from '../../../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine, type MachineDeployment, type MachineSet } from '../../../../shared/kinds/index.ts';
import { isOwnedByKind } from '../../../../shared/kinds/reference.ts';
import { outdatedReasons } from '../../../../shared/plan/control-plane/up-to-date.ts';
import { isExpired } from '../../../../shared/plan/rollout/current-set.ts';
import { outdatedReasons as outdatedReasonsOfSet } from '../../../../shared/plan/rollout/up-to-date.ts';
import { byMachine, type ClusterSnapshot, isControlledBy, type ObjectReads } from '../../snapshot.ts';
import { findUnlabelled } from '../../unlabelled.ts';

/**
 * The bootstrap configurations of a cluster that belong to the distribution of its control plane, by machine name. A
 * configuration without the cluster's label is found by its name.
 */
export const readConfigs = async (
  { objects }: { objects: ObjectReads },
  { cluster, distribution, machines }: ClusterSnapshot,
): Promise<ReadonlyMap<string, BootstrapConfig>> => {
  const { namespace = '', name } = cluster.metadata;
  if (!distribution || distribution.isOutside) return new Map();
  const nameOf = ({ spec: { bootstrap } }: Machine): string | undefined =>
    distributionOf('config', bootstrap.configRef) === distribution ? bootstrap.configRef?.name : undefined;
  const resource = distribution.config;
  const listed = await objects.listOfCluster(resource, namespace, name);
  const unlabelled = await findUnlabelled(objects, machines, { resource, objects: listed, nameOf });
  return byMachine(machines, [...listed, ...unlabelled], nameOf);
};

/** Like upstream's setUpToDateCondition (core/reconcilers/machine/machine_controller_status.go). */
const outdatedOfWorker = (set: MachineSet, deployment: MachineDeployment, now: Date): string[] => [
  ...outdatedReasonsOfSet(set, deployment),
  ...(isExpired(deployment, set, now) ? ['MachineDeployment spec.rolloutAfter expired'] : []),
];

/**
 * The reasons why a machine is not up to date with its owner, empty if it is; undefined for machines without an owner.
 */
export type WhyOutdated = (machine: Machine) => readonly string[] | undefined;

/**
 * Its instance is replaced by the group, so a Machine of a pool is up to date until it is deleted (upstream:
 * setMachinesUptoDate).
 */
const isOfPool = ({ metadata }: Machine): boolean =>
  metadata.ownerReferences?.some((owner) => owner.controller && isOwnedByKind(kinds.machinePool)(owner)) === true;

/**
 * The function for all machines of a cluster; results that apply to all machines of a set are computed once per set.
 */
export const makeWhyOutdated = (
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
  now: Date,
): WhyOutdated => {
  const { controlPlane, distribution, infrastructureMachines } = snapshot;
  const ofSets = new Map(
    snapshot.sets.map((set) => {
      const deployment = snapshot.deployments.find((candidate) => isControlledBy(set, candidate));
      return [set.metadata.uid, deployment && outdatedOfWorker(set, deployment, now)];
    }),
  );
  return (machine) => {
    if (controlPlane && distribution && isControlledBy(machine, controlPlane)) {
      // The provider reports this condition.
      if (distribution.isOutside) return undefined;
      const { name } = machine.metadata;
      const [config, infrastructure] = [configs.get(name), infrastructureMachines.get(name)?.object];
      return outdatedReasons({ distribution, controlPlane, machine, config, infrastructure }, now);
    }
    if (isOfPool(machine)) return machine.metadata.deletionTimestamp ? ['Machine is being deleted'] : [];
    return ofSets.get(machine.metadata.ownerReferences?.find(({ controller }) => controller)?.uid);
  };
};
