import type { Distribution } from '../../shared/distributions/distribution.ts';
import { distributionOf } from '../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import { kinds, type Machine, type MachinePool } from '../../shared/kinds/index.ts';
import type { InfrastructureCluster, InfrastructurePool } from '../../shared/kinds/infrastructure.ts';
import { isOwnedByKind } from '../../shared/kinds/reference.ts';
import type { KubeObject, OwnerReference } from '../../shared/kube-api/object.ts';
import { awaitsRemediation } from '../../shared/plan/health/machine.ts';
import { isReclaimed } from '../../shared/plan/instance-events/notice.ts';
import { FINALIZER } from '../../shared/plan/labels.ts';
import { claimantOf } from '../../shared/plan/machines/copies.ts';
import { controllerReference } from '../../shared/plan/machines/desired.ts';
import { isGroupRemoved, poolDigest, reconciledDigest } from '../../shared/plan/pools/digest.ts';
import { type TokenTurn, tokenTurn } from '../../shared/plan/pools/tokens.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { hasController } from '../../shared/plan/workers/adoption.ts';
import { hasPools, INFRASTRUCTURES, poolProviderOf, type WithPools } from '../../shared/providers/registry.ts';
import { isControlledBy } from './owners.ts';
import type { ClusterSnapshot, ObjectReads } from './snapshot.ts';

/** A MachinePool with the objects to which it refers. */
export interface PoolObjects {
  pool: MachinePool;
  /** Undefined if the kind of the pool's infrastructure is not built in. */
  provider: WithPools | undefined;
  /**
   * Null if the object to which the pool refers does not exist. For a pool in deletion, it is then one that the pool
   * controls, because that may still have a group.
   */
  infrastructure: InfrastructurePool | null;
  config: BootstrapConfig | null;
  /**
   * The distribution of the pool's bootstrap configuration; undefined if it has none, or one of a kind that is not
   * built in.
   */
  distribution: Distribution | undefined;
}

type Group = Pick<PoolObjects, 'provider' | 'infrastructure'>;

/** Whether the object must not be forgotten: as long as it has its finalizer, a group may exist for it. */
const isHeld = ({ provider, infrastructure }: Group): boolean =>
  provider !== undefined && infrastructure?.metadata.finalizers?.includes(provider.pool.finalizer) === true;

/**
 * The infrastructure that a pool controls and that must still be removed, whatever the pool refers to; undefined if
 * there is none. A user may have changed `infrastructureRef`. In upstream, the garbage collector deletes such an object,
 * and its own controller deletes the group.
 */
export const findHeldGroup = async (
  objects: Pick<ObjectReads, 'listOfCluster'>,
  pool: MachinePool,
): Promise<Group | undefined> => {
  const { namespace = '' } = pool.metadata;
  for (const provider of INFRASTRUCTURES.filter(hasPools)) {
    const all = await objects.listOfCluster(provider.pool.kind, namespace, pool.spec.clusterName);
    const infrastructure = all.find((one) => isControlledBy(one, pool) && isHeld({ provider, infrastructure: one }));
    if (infrastructure) return { provider, infrastructure };
  }
  return undefined;
};

/** What the steps of a pool work on, given what it refers to. */
const groupOf = async (objects: ObjectReads, pool: MachinePool, referred: Group): Promise<Group> => {
  const isOwn = isHeld(referred) && takenBy(pool, referred.infrastructure) === undefined;
  if (!pool.metadata.deletionTimestamp || isOwn) return referred;
  return (await findHeldGroup(objects, pool)) ?? referred;
};

/**
 * The objects to which a MachinePool refers. Costs one more query for each provider if the pool is being deleted and
 * nothing holds its infrastructure.
 */
export const readPoolObjects = async (objects: ObjectReads, pool: MachinePool): Promise<PoolObjects> => {
  const { bootstrap, infrastructureRef } = pool.spec.template.spec;
  const { configRef } = bootstrap;
  const namespace = pool.metadata.namespace ?? '';
  const provider = poolProviderOf(infrastructureRef);
  const distribution = distributionOf('config', configRef);
  const [infrastructure = null, config = null] = await Promise.all([
    provider && objects.get(provider.pool.kind, { namespace, name: infrastructureRef.name }),
    configRef && distribution ? objects.get(distribution.config, { namespace, name: configRef.name }) : undefined,
  ]);
  return { pool, ...(await groupOf(objects, pool, { provider, infrastructure })), config, distribution };
};

/** An object to which a pool refers but that something else controls. */
export interface TakenPart {
  object: KubeObject;
  controller: OwnerReference;
}

/** The object, if it has a controller other than the pool: the pool must not use, change or delete it. */
const takenBy = ({ metadata }: MachinePool, object: KubeObject | null): TakenPart | undefined => {
  const controller = object?.metadata.ownerReferences?.find((owner) => owner.controller);
  const isOwn = controller && isOwnedByKind(kinds.machinePool)(controller) && controller.name === metadata.name;
  return object && controller && !isOwn ? { object, controller } : undefined;
};

const isNamedIn = ({ spec }: MachinePool, { kind, metadata: { name } }: KubeObject): boolean => {
  const { bootstrap, infrastructureRef } = spec.template.spec;
  return [bootstrap.configRef, infrastructureRef].some((ref) => ref?.kind === kind && ref.name === name);
};

/**
 * The same, also for an object that has lost its controller, if several of these pools refer to it: it is that of the pool
 * with its name, or otherwise of the oldest. A copy of a pool would delete the group of the original with itself.
 */
export const claimedBy = (
  pool: MachinePool,
  object: KubeObject | null,
  pools: readonly MachinePool[],
): TakenPart | undefined => {
  if (!object || hasController(object)) return takenBy(pool, object);
  const naming = pools.filter((other) => isNamedIn(other, object));
  const first = claimantOf(object, pool, naming);
  return first === pool ? undefined : { object, controller: controllerReference(first) };
};

/** The MachinePools of a cluster. A single query if there are none. */
export const readPools = async (
  objects: ObjectReads,
  { cluster }: Pick<ClusterSnapshot, 'cluster'>,
): Promise<PoolObjects[]> => {
  const { namespace = '', name } = cluster.metadata;
  const pools = await objects.listOfCluster(kinds.machinePool, namespace, name);
  return Promise.all(pools.map((pool) => readPoolObjects(objects, pool)));
};

/**
 * The bootstrap token with which new instances of a pool currently start; undefined if they need none, or none are
 * launched.
 */
export const currentToken = (objects: PoolObjects, now: Date): TokenTurn | undefined => {
  const { pool, provider, infrastructure, distribution } = objects;
  if (!distribution?.usesBootstrapTokens || !provider || !infrastructure) return undefined;
  return provider.pool.mayLaunch(infrastructure) ? tokenTurn(pool, now) : undefined;
};

/** The control plane that the instances of a pool join. */
export type Joined = Pick<ClusterSnapshot, 'cluster' | 'controlPlane' | 'machines'>;

/**
 * What new instances must know about the cluster; undefined as long as it is unknown, and empty if it never changes.
 */
const joiningOf = ({ distribution }: PoolObjects, { controlPlane, cluster, machines }: Joined): object | undefined =>
  distribution?.joining && controlPlane ? distribution.joining(controlPlane, cluster, machines) : {};

/** A digest of a pool's desired state; undefined if an object that it needs does not exist. */
export const wantedDigest = (
  objects: PoolObjects,
  infrastructureCluster: InfrastructureCluster | null,
  joined: Joined,
  now: Date,
): string | undefined => {
  const { pool, provider, infrastructure, config } = objects;
  const { bootstrap } = pool.spec.template.spec;
  const joining = joiningOf(objects, joined);
  if (!provider || !infrastructure || !infrastructureCluster || !joining) return undefined;
  if (bootstrap.configRef && !config) return undefined;
  const token = currentToken(objects, now)?.subject;
  const wishes = {
    ...{ pool, config, joining },
    infrastructure: provider.pool.wishes(infrastructure),
    cluster: infrastructureCluster,
  };
  return poolDigest({ ...wishes, ...(token ? { token } : {}) });
};

/**
 * Whether a user has deleted the infrastructure of a pool that stays. Its group is deleted, as Cluster API's AWS
 * provider does, and a new one is created when an object with that name exists again.
 */
export const isGroupGoing = ({ pool, infrastructure }: Pick<PoolObjects, 'pool' | 'infrastructure'>): boolean =>
  infrastructure?.metadata.deletionTimestamp !== undefined && pool.metadata.deletionTimestamp === undefined;

/** The Machines that a pool controls. */
export const machinesOfPool = (pool: MachinePool, machines: readonly Machine[]): Machine[] =>
  machines.filter((machine) => isControlledBy(machine, pool));

type MachinesOfCluster = Pick<ClusterSnapshot, 'machines' | 'infrastructureMachines'>;
type PoolSnapshot = Joined & MachinesOfCluster & Pick<ClusterSnapshot, 'infrastructureCluster'>;

/**
 * Whether an execution has work to do for a pool: it must be deleted, or its group was last seen in a state other than
 * the desired one. A pool that is paused, or to which a referenced object is missing, waits for a user's change.
 */
export const isPoolOpen = (objects: PoolObjects, snapshot: PoolSnapshot, now: Date): boolean => {
  const { pool, infrastructure } = objects;
  if (isObjectPaused(pool) || (infrastructure && isObjectPaused(infrastructure))) return false;
  if (pool.metadata.deletionTimestamp || isGroupGoing(objects)) return isRemovalOpen(objects, snapshot);
  if (!infrastructure) return false;
  const digest = wantedDigest(objects, snapshot.infrastructureCluster, snapshot, now);
  if (digest === undefined) return false;
  return reconciledDigest(infrastructure) !== digest || !areMachinesInStep(pool, infrastructure, snapshot);
};

const isBeingDeleted = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;

/**
 * Between the deletion of the group and that of the last Machine, only the executions of the Machines have work to do. A
 * pool whose kind of infrastructure is not built in only has to be released if it had another kind before.
 */
const isRemovalOpen = (
  { pool, provider, infrastructure }: PoolObjects,
  { machines }: Pick<MachinesOfCluster, 'machines'>,
): boolean => {
  if (!provider && !pool.metadata.finalizers?.includes(FINALIZER.machinePool)) return false;
  const own = machinesOfPool(pool, machines);
  const isGroupGone = infrastructure === null || isGroupRemoved(infrastructure);
  return !isGroupGone || own.length === 0 || !own.every(isBeingDeleted);
};

/**
 * Whether each instance of the group, as it was last seen, has a Machine, and each Machine an instance. A Machine in
 * deletion keeps its instance while its node is drained, and may outlive it.
 */
export const areMachinesInStep = (
  pool: MachinePool,
  infrastructure: InfrastructurePool,
  { machines, infrastructureMachines }: MachinesOfCluster,
): boolean => {
  const own = machinesOfPool(pool, machines);
  const instanceOf = ({ metadata }: Machine) => infrastructureMachines.get(metadata.name);
  const staying = own.filter((machine) => !isBeingDeleted(machine));
  // The group replaces lost and deleted instances.
  const isLeaving = (machine: Machine) =>
    instanceOf(machine)?.facts.gone === true || awaitsRemediation(machine) || isReclaimed(machine);
  if (staying.some(isLeaving)) return false;
  const idOf = (machine: Machine) => instanceOf(machine)?.object.spec.providerID;
  const listed = new Set(infrastructure.spec?.providerIDList ?? []);
  const known = new Set(own.map(idOf));
  return [...listed].every((id) => known.has(id)) && staying.every((machine) => listed.has(idOf(machine) ?? ''));
};
