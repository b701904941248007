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
    const { creations = [], others = [] } = Object.groupBy(operations, (operation) =>
      operation.do === 'make-machine' ? 'creations' : 'others',
    );
    const perform = (operation: PoolMachineOperation) => apply(deps, snapshot, operation);
    await mapConcurrently(others, CONCURRENCY, perform);
    const { made, refused } = await makeWithinQuota(creations, perform, CONCURRENCY);
    if (refused) await poolRecorder(deps).warning(snapshot.pool, 'FailedCreate', refusalMessage(refused));
    // New Machines have their own executions, which a pass starts.
    if (others.length + made.length > 0) await deps.touch(clusterOf(ref), { isNews: true });
    return {};
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
  operation: PoolMachineOperation,
): Promise<void> => {
  const { objects } = deps;
  const { pool } = snapshot;
  const key = (name: string) => ({ namespace: pool.metadata.namespace ?? '', name });
  switch (operation.do) {
    case 'make-machine': {
      const { metadata } = operation.machine;
      const wanted = { ...operation.machine, metadata: { ...metadata, finalizers: [FINALIZER.machine] } };
      const { object, created } = await objects.ensure(kinds.machine, wanted);
      // Its instance would be terminated with that Machine.
      if (!isOfThisPool(pool, object)) return;
      if (created) await poolRecorder(deps).normal(pool, 'SuccessfulCreate', `Created Machine ${metadata.name}`);
      return ownInfrastructure(deps, snapshot, object, operation.infrastructure);
    }
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

/** Whether a Machine is the pool's, or one of its cluster that has lost its owner (cluster/objects/ownership). */
const isOfThisPool = (pool: MachinePool, machine: Machine): boolean =>
  machine.spec.clusterName === pool.spec.clusterName && (isControlledBy(machine, pool) || !hasController(machine));

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
