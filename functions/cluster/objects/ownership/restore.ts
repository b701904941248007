import { distributionIn } from '../../../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine, type MachinePool, type MachineSet } from '../../../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../../../shared/kinds/infrastructure.ts';
import { labelValueOf } from '../../../../shared/kinds/rules/names.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { withFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import { FINALIZER, LABEL } from '../../../../shared/plan/labels.ts';
import { controllerReference, withOwner } from '../../../../shared/plan/machines/desired.ts';
import {
  withCurrentVersions,
  withFurtherOwner,
  withLostController,
} from '../../../../shared/plan/machines/ownership.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { hasController } from '../../../../shared/plan/workers/adoption.ts';
import type { Apart } from '../../apart.ts';
import { restoreDataOwner } from '../../lost-data-owner.ts';
import { isOfAnotherMachine } from '../../owners.ts';
import { isMachinePaused } from '../../paused-parts.ts';
import { isBegun, ownPoolObjects } from '../../pool-owners.ts';
import { claimedBy, isGroupGoing, machinesOfPool, type PoolObjects } from '../../pools.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import { writeChange } from '../../write-change.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { restoreUnread } from './unread.ts';

type Dependencies = Pick<ObjectsDependencies, 'objects'> & { apart: Apart };

interface Parts {
  /** The configurations, by the name of their machine. */
  configs: ReadonlyMap<string, BootstrapConfig>;
  pools: readonly PoolObjects[];
  /** Identifies the pass (`ConvergeInput.wanted`). */
  turn: number;
}

/**
 * Gives the objects of a cluster back the owners and finalizers that someone has removed from them, as upstream's
 * controllers do whenever they look at an object. Pools and sets that have not begun get no finalizer here: as long as
 * the network is not ready, no step would remove it. What is compared here was read for the report already, except for a
 * few objects (`restoreUnread`). Machines, sets and Secrets of the control plane are adopted elsewhere.
 */
export const restoreOwnership = async (deps: Dependencies, snapshot: ClusterSnapshot, parts: Parts): Promise<void> => {
  const { cluster, machines, sets } = snapshot;
  if (isPaused(cluster) || cluster.metadata.deletionTimestamp) return;
  const { each } = deps.apart;
  const pools = parts.pools.map(({ pool }) => pool);
  const active = parts.pools.filter(isActive);
  await each(active, (one) => ownPoolObjects(deps.objects, cluster, one, { isHeld: isBegun(one, pools), pools }));
  await each(active, (pool) => adoptMachines(deps, snapshot, pool));
  const groups = groupsOf(snapshot, active);
  await each(machines, (machine) =>
    restoreMachine(deps, snapshot, machine, {
      config: parts.configs.get(machine.metadata.name),
      group: groups.get(machine.metadata.name),
    }),
  );
  const owners = ownersOf(snapshot, active);
  await each(machines, (machine) =>
    writeChange(deps.objects, kinds.machine, machine, (now) => withCurrentVersions(now, owners)),
  );
  await each(sets, (set) => writeChange(deps.objects, kinds.machineSet, set, (now) => restoredSet(now, owners)));
  await restoreUnread(deps, snapshot, {
    configs: [...machines.flatMap((one) => machineConfig(snapshot, one, parts) ?? []), ...poolConfigs(active, pools)],
    turn: parts.turn,
  });
};

/** The configuration of a machine, if its data may be given an owner. */
const machineConfig = (snapshot: ClusterSnapshot, machine: Machine, { configs }: Parts): BootstrapConfig | undefined =>
  isHeld(snapshot, machine) ? undefined : ownConfig(snapshot, machine, configs.get(machine.metadata.name))?.config;

/** The configurations of pools. */
const poolConfigs = (active: readonly PoolObjects[], pools: readonly MachinePool[]): BootstrapConfig[] =>
  active.flatMap(({ pool, config, distribution }) =>
    config && distribution && !claimedBy(pool, config, pools) ? [config] : [],
  );

/** The owners of machines and sets, by uid. */
const ownersOf = (
  { cluster, controlPlane, deployments, sets }: ClusterSnapshot,
  pools: readonly PoolObjects[],
): ReadonlyMap<string, KubeObject> => {
  const all: KubeObject[] = [cluster, ...deployments, ...sets, ...pools.map(({ pool }) => pool)];
  if (controlPlane) all.push(controlPlane);
  return new Map(all.map((owner) => [owner.metadata.uid ?? '', owner]));
};

/** A set without an owner gets its finalizer with the owner: before, nothing was made for it, nor would be removed. */
const restoredSet = (set: MachineSet, owners: ReadonlyMap<string, KubeObject>): MachineSet | undefined => {
  if (isObjectPaused(set)) return undefined;
  const current = withCurrentVersions(set, owners);
  const isAdopted = set.metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) === true;
  return (isAdopted ? withFinalizer(FINALIZER.machineSet)(current ?? set) : undefined) ?? current;
};

const isActive = (objects: PoolObjects): boolean => {
  const { pool, infrastructure } = objects;
  const isHeld = isObjectPaused(pool) || (infrastructure !== null && isObjectPaused(infrastructure));
  return !isHeld && !pool.metadata.deletionTimestamp && !isGroupGoing(objects);
};

/**
 * Whether a machine's instance belongs to a group, whatever the labels of its Machine say: only controllers write the
 * group's list.
 */
const isListed = ({ infrastructure }: PoolObjects, machine: InfrastructureMachine | undefined): boolean =>
  machine?.spec.providerID !== undefined &&
  infrastructure?.spec?.providerIDList?.includes(machine.spec.providerID) === true;

/** Machines of a pool that no longer have it as their controller. */
const adoptMachines = async (deps: Dependencies, snapshot: ClusterSnapshot, objects: PoolObjects): Promise<void> => {
  const { pool } = objects;
  const label = labelValueOf(pool.metadata.name);
  const adopted = (current: Machine): Machine | undefined => {
    const { deletionTimestamp, labels, ownerReferences } = current.metadata;
    if (deletionTimestamp || labels?.[LABEL.poolName] !== label || hasController(current)) return undefined;
    const owners = withOwner(ownerReferences, controllerReference(pool));
    return { ...current, metadata: { ...current.metadata, ownerReferences: owners } };
  };
  const lost = snapshot.machines.filter(({ metadata }) =>
    isListed(objects, snapshot.infrastructureMachines.get(metadata.name)?.object),
  );
  await Promise.all(lost.map((machine) => writeChange(deps.objects, kinds.machine, machine, adopted)));
};

/**
 * The infrastructure of the pool to which a machine belongs, which is an additional owner of the machine's
 * infrastructure.
 */
const groupsOf = (
  { machines, infrastructureMachines }: ClusterSnapshot,
  pools: readonly PoolObjects[],
): ReadonlyMap<string, KubeObject> =>
  new Map(
    pools.flatMap((objects) => {
      const { infrastructure, pool } = objects;
      const own = new Set(machinesOfPool(pool, machines).map(({ metadata }) => metadata.name));
      const label = labelValueOf(pool.metadata.name);
      return machines.flatMap(({ metadata: { name, labels } }): [string, KubeObject][] => {
        const isOwn = own.has(name) || labels?.[LABEL.poolName] === label;
        const isInstance = isListed(objects, infrastructureMachines.get(name)?.object);
        return infrastructure && isOwn && isInstance ? [[name, infrastructure]] : [];
      });
    }),
  );

/**
 * Whether a part without an owner belongs to this machine: if several Machines name it, all except the one with its
 * name may be copies, and a copy never has parts.
 */
const isOwnPart = (
  { machines }: ClusterSnapshot,
  machine: Machine,
  part: KubeObject,
  nameOf: (machine: Machine) => string | undefined,
): boolean => {
  const { name } = part.metadata;
  return name === machine.metadata.name || machines.every((other) => other === machine || nameOf(other) !== name);
};

const infrastructureName = ({ spec }: Machine): string | undefined => spec.infrastructureRef.name;
const configName = ({ spec }: Machine): string | undefined => spec.bootstrap.configRef?.name;

/** Whether nothing of a machine is changed: it is paused or being deleted. */
const isHeld = ({ infrastructureMachines }: ClusterSnapshot, machine: Machine): boolean =>
  machine.metadata.deletionTimestamp !== undefined ||
  isMachinePaused(machine, infrastructureMachines.get(machine.metadata.name));

/** Restores the machine's infrastructure and bootstrap configuration, and the data that was created from it. */
const restoreMachine = async (
  deps: Dependencies,
  snapshot: ClusterSnapshot,
  machine: Machine,
  { config, group }: { config: BootstrapConfig | undefined; group: KubeObject | undefined },
): Promise<void> => {
  const infrastructure = snapshot.infrastructureMachines.get(machine.metadata.name);
  if (isHeld(snapshot, machine)) return;
  if (infrastructure && !infrastructure.provider.isOutside) {
    const { provider, object } = infrastructure;
    const owned = (current: InfrastructureMachine) => {
      if (isOfAnotherMachine(current, machine)) return undefined;
      const grouped = group ? withFurtherOwner(current, group) : current;
      const own = withLostController(grouped, machine, provider.finalizers.machine);
      return own ?? (grouped === current ? undefined : grouped);
    };
    if (owned(object) && isOwnPart(snapshot, machine, object, infrastructureName))
      await writeChange(deps.objects, provider.machine, object, owned);
  }
  await restoreConfig(deps, snapshot, machine, config);
};

/** The configuration of a machine; undefined if it has none, or another Machine or program may have made it. */
const ownConfig = (snapshot: ClusterSnapshot, machine: Machine, config: BootstrapConfig | undefined) => {
  const distribution = distributionIn(snapshot.cluster, 'config', machine.spec.bootstrap.configRef);
  if (!config || !distribution || distribution.isOutside || isOfAnotherMachine(config, machine)) return undefined;
  return isOwnPart(snapshot, machine, config, configName) ? { config, resource: distribution.config } : undefined;
};

const restoreConfig = async (
  deps: Dependencies,
  snapshot: ClusterSnapshot,
  machine: Machine,
  found: BootstrapConfig | undefined,
): Promise<void> => {
  const own = ownConfig(snapshot, machine, found);
  if (!own || !withLostController(own.config, machine)) return;
  const owned = (current: BootstrapConfig) =>
    isOfAnotherMachine(current, machine) ? undefined : withLostController(current, machine);
  // This comes first: as long as the configuration has no owner, its data is checked again.
  await restoreDataOwner(deps.objects, own.config);
  await writeChange(deps.objects, own.resource, own.config, owned);
};
