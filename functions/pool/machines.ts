import { kinds, type Machine, type MachinePool } from '../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../shared/kinds/infrastructure.ts';
import { labelValueOf } from '../../shared/kinds/rules/names.ts';
import { withoutFinalizer } from '../../shared/kube-api/registry/finalizers.ts';
import { FINALIZER, LABEL } from '../../shared/plan/labels.ts';
import { withController } from '../../shared/plan/machines/ownership.ts';
import { type PoolMachineOperation, planPoolMachines } from '../../shared/plan/pools/machines.ts';
import { hasController } from '../../shared/plan/workers/adoption.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import type { PoolInput } from '../../shared/work/payloads.ts';
import { makeWithinQuota, refusalMessage } from '../cluster/objects/machines/within-quota.ts';
import { isControlledBy } from '../cluster/owners.ts';
import { machinesOfPool } from '../cluster/pools.ts';
import { findUnlabelled } from '../cluster/unlabelled.ts';
import type { PoolDependencies } from './dependencies.ts';
import { clusterOf, type PoolSnapshot, readPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';

const CONCURRENCY = 10;

/**
 * Creates a Machine for each instance of the group, as far as quotas allow, and deletes those whose instances have left
 * it. Deletions come first, because they make room for new Machines.
 */
export const poolMachines =
  (deps: PoolDependencies) =>
  async ({ pool: ref }: PoolInput) => {
    const snapshot = await readPool(deps.objects, ref);
    if (!snapshot || snapshot.pool.metadata.deletionTimestamp) return {};
    const operations = await plan(deps, snapshot);
    const creations = operations.filter((operation) => operation.do === 'make-machine');
    const others = operations.filter((operation) => operation.do !== 'make-machine');
    await mapConcurrently(others, CONCURRENCY, (operation) => apply(deps, snapshot, operation));
    const make = (creation: Creation) => makeMachine(deps, snapshot, creation);
    const { made, refused } = await makeWithinQuota(creations, make, CONCURRENCY);
    if (refused) await poolRecorder(deps).warning(snapshot.pool, 'FailedCreate', refusalMessage(refused));
    const taken = made.flatMap((one) => one.taken ?? []);
    await reportTaken(deps, snapshot.pool, taken);
    // New Machines have their own executions, which a pass starts. A name that is taken is no news: passes back off.
    if (others.length + made.length > taken.length) await deps.touch(clusterOf(ref), { isNews: true });
    return {};
  };

type Creation = Extract<PoolMachineOperation, { do: 'make-machine' }>;

/** An instance whose Machine cannot be created, and the Machine that has its name. */
interface Taken {
  infrastructure: InfrastructureMachine;
  machine: Machine;
}

/** Creates the Machine of an instance. `taken`: the name belongs to a Machine of something else, which stays unchanged. */
const makeMachine = async (
  deps: PoolDependencies,
  snapshot: PoolSnapshot,
  { machine, infrastructure }: Creation,
): Promise<{ taken?: Taken }> => {
  const { pool } = snapshot;
  const { metadata } = machine;
  const wanted = { ...machine, metadata: { ...metadata, finalizers: [FINALIZER.machine] } };
  const { object, created } = await deps.objects.ensure(kinds.machine, wanted);
  // Its instance would be terminated with that Machine.
  if (!isOfThisPool(pool, object)) return { taken: { infrastructure, machine: object } };
  if (created) await poolRecorder(deps).normal(pool, 'SuccessfulCreate', `Created Machine ${metadata.name}`);
  await ownInfrastructure(deps, snapshot, object, infrastructure);
  return {};
};

/** Whether a Machine is the pool's, or one of its cluster that has lost its owner (cluster/objects/ownership). */
const isOfThisPool = (pool: MachinePool, machine: Machine): boolean =>
  machine.spec.clusterName === pool.spec.clusterName && (isControlledBy(machine, pool) || !hasController(machine));

/** Records a single event for all instances whose Machines have the names of others. */
const reportTaken = async (
  deps: PoolDependencies,
  pool: MachinePool,
  [first, ...more]: readonly Taken[],
): Promise<void> => {
  if (!first) return;
  const { infrastructure, machine } = first;
  const controller = machine.metadata.ownerReferences?.find((owner) => owner.controller);
  const isOfCluster = machine.spec.clusterName === pool.spec.clusterName;
  const owner =
    isOfCluster && controller ? `${controller.kind} ${controller.name}` : `Cluster ${machine.spec.clusterName}`;
  const message = `${infrastructure.kind} ${infrastructure.metadata.name} gets no Machine, because Machine ${machine.metadata.name} of ${owner} has its name; delete that Machine or the instance`;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
  await poolRecorder(deps).warning(pool, 'FailedCreate', `${message}${rest}`);
};

const plan = async ({ objects }: PoolDependencies, snapshot: PoolSnapshot): Promise<PoolMachineOperation[]> => {
  const { pool, provider, infrastructure } = snapshot;
  if (!provider || !infrastructure) return [];
  const { namespace = '' } = pool.metadata;
  const { clusterName } = pool.spec;
  const [all, machines] = await Promise.all([
    objects.listOfCluster(provider.machine, namespace, clusterName),
    objects.listOfCluster(kinds.machine, namespace, clusterName),
  ]);
  const own = machinesOfPool(pool, machines);
  const nameOf = ({ spec }: Machine) => spec.infrastructureRef.name;
  // An infrastructure machine without an owner still belongs to the Machine that names it: otherwise that Machine would
  // be deleted.
  const named = new Set(own.map(nameOf));
  const present = [
    ...all,
    ...(await findUnlabelled(objects, own, { resource: provider.machine, objects: all, nameOf })),
  ];
  const infrastructureMachines = present.filter(
    ({ metadata: { name, ownerReferences } }) =>
      isOfPool(ownerReferences, infrastructure.metadata.uid) || named.has(name),
  );
  return planPoolMachines({ pool, infrastructure, infrastructureMachines, machines: own });
};

const isOfPool = (owners: readonly { uid: string }[] | undefined, uid: string | undefined): boolean =>
  owners?.some((owner) => owner.uid === uid) === true;

const apply = async (
  deps: PoolDependencies,
  snapshot: PoolSnapshot,
  operation: Exclude<PoolMachineOperation, Creation>,
): Promise<void> => {
  const { objects } = deps;
  const { pool } = snapshot;
  const key = (name: string) => ({ namespace: pool.metadata.namespace ?? '', name });
  switch (operation.do) {
    case 'own-infrastructure':
      return ownInfrastructure(deps, snapshot, operation.machine, operation.infrastructure);
    case 'update-machine': {
      const { metadata, spec } = operation.machine;
      await objects.mutate(kinds.machine, key(metadata.name), (current) =>
        current.metadata.uid === metadata.uid
          ? {
              ...current,
              metadata: { ...current.metadata, labels: metadata.labels, annotations: metadata.annotations },
              spec,
            }
          : undefined,
      );
      return;
    }
    case 'delete-machine':
      await objects.delete(kinds.machine, operation.machine);
      await poolRecorder(deps).normal(pool, 'SuccessfulDelete', operation.message);
      return;
    case 'forget-infrastructure':
      return forget(deps, snapshot, operation.infrastructure);
  }
};

const ownInfrastructure = async (
  { objects }: PoolDependencies,
  { provider, pool }: PoolSnapshot,
  machine: Machine,
  { metadata }: InfrastructureMachine,
): Promise<void> => {
  if (!provider) return;
  const key = { namespace: pool.metadata.namespace ?? '', name: metadata.name };
  await objects.mutate(provider.machine, key, (current) => {
    if (current.metadata.uid !== metadata.uid) return undefined;
    const own = withController(current, machine, provider.finalizers.machine);
    const labels = { ...own.metadata.labels, [LABEL.poolName]: labelValueOf(pool.metadata.name) };
    return { ...own, metadata: { ...own.metadata, labels } };
  });
};

const forget = async (
  { objects }: PoolDependencies,
  { provider }: PoolSnapshot,
  infrastructure: InfrastructureMachine,
): Promise<void> => {
  if (!provider) return;
  await objects.delete(provider.machine, infrastructure);
  const { machine: finalizer } = provider.finalizers;
  if (finalizer !== undefined) await objects.mutate(provider.machine, infrastructure, withoutFinalizer(finalizer));
};
