import { kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../shared/kube-api/registry/finalizers.ts';
import { FINALIZER } from '../../shared/plan/labels.ts';
import { isOverdue } from '../../shared/plan/machines/waiting.ts';
import { withGroupRemoved, withReconciled } from '../../shared/plan/pools/digest.ts';
import { causeOf } from '../../shared/work/failure.ts';
import type { Failure, PoolInput } from '../../shared/work/payloads.ts';
import { areMachinesInStep, findHeldGroup, machinesOfPool } from '../cluster/pools.ts';
import { readInfrastructure } from '../cluster/snapshot.ts';
import { deleteConfig } from '../machine/objects/bootstrap-remains.ts';
import { isReleasable, type LeaseHolder } from '../machine/removal.ts';
import type { PoolDependencies } from './dependencies.ts';
import { clusterOf, isHeldBack, isRemoval, type PoolSnapshot, readPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';

/**
 * A failed pool is left alone for this time: this limits retries, but lets the pool recover soon after the cause is
 * fixed.
 */
const PAUSE_SECONDS = 20;
/** A pool that has failed for a long time is retried less often, because each attempt costs money. */
const LONG_PAUSE_SECONDS = 300;
const LONG_AFTER_SECONDS = 15 * 60;

const pauseFor = ({ metadata }: KubeObject, now: Date): number =>
  isOverdue(metadata.deletionTimestamp ?? metadata.creationTimestamp, LONG_AFTER_SECONDS, now)
    ? LONG_PAUSE_SECONDS
    : PAUSE_SECONDS;

/**
 * Records the result, and wakes the cluster. If the group could not reach its desired state, the pool is left alone for
 * a while.
 */
export const finishPool =
  (deps: PoolDependencies) =>
  async ({ pool: ref, holder, digest, outcome }: PoolInput) => {
    const { objects, work, touch, clock } = deps;
    const snapshot = await readPool(objects, ref);
    const { provider, infrastructure } = snapshot ?? {};
    const isReached = outcome === 'done' && digest;
    if (isReached && provider && infrastructure) {
      const key = { namespace: ref.namespace, name: infrastructure.metadata.name };
      await objects.mutate(provider.pool.kind, key, (current) =>
        current.metadata.uid === infrastructure.metadata.uid ? withReconciled(current, digest) : undefined,
      );
    }
    if (snapshot && (await isLeftAlone(deps, snapshot, isReached ? outcome : 'failed'))) {
      await work.extendMachine(ref, holder, pauseFor(snapshot.pool, clock.now()));
    } else await work.releaseMachine(ref, holder);
    await touch(clusterOf(ref));
    return {};
  };

/**
 * Whether the next execution could do no more than this one: because this one failed, or because the group is complete
 * but its Machines do not match it, for example because the group's description is outdated.
 */
const isLeftAlone = async (
  { objects }: PoolDependencies,
  snapshot: PoolSnapshot,
  outcome: PoolInput['outcome'],
): Promise<boolean> => {
  const { pool, provider, infrastructure } = snapshot;
  if (isRemoval(snapshot) || isHeldBack(snapshot)) return false;
  if (outcome === 'failed') return true;
  if (!provider || !infrastructure) return false;
  const { namespace = '' } = pool.metadata;
  const name = pool.spec.clusterName;
  const reading = objects.listOfCluster(kinds.machine, namespace, name);
  const infrastructureMachines = await readInfrastructure(objects, { namespace, name }, reading, provider);
  return !areMachinesInStep(pool, infrastructure, { machines: await reading, infrastructureMachines });
};

/**
 * After the group is gone, removes the finalizers of the pool's objects, and that of the MachinePool last, once its
 * Machines are gone. If the MachinePool stays, only the infrastructure is removed.
 */
export const finishPoolRemoval =
  (deps: PoolDependencies) =>
  async ({ pool: ref, holder, outcome }: PoolInput) => {
    const { objects, work, touch, clock } = deps;
    const snapshot = await readPool(objects, ref);
    if (snapshot && outcome === 'failed') {
      if (isHeldBack(snapshot)) await work.releaseMachine(ref, holder);
      else await work.extendMachine(ref, holder, pauseFor(snapshot.pool, clock.now()));
    } else {
      const isOver = snapshot === undefined || (await release(deps, snapshot, { ref, holder }));
      if (isOver) await work.removeMachine(ref);
      else await work.releaseMachine(ref, holder);
    }
    await touch(clusterOf(ref));
    return {};
  };

/**
 * Whether the MachinePool is gone as well. False while Machines are left: their executions delete nodes and touch the
 * cluster, whose pass runs this step again when no Machine is left. Also false if the pool controls a group that this
 * execution has not deleted, for example one to which it referred before: the next execution deletes that.
 */
const release = async (deps: PoolDependencies, snapshot: PoolSnapshot, execution: LeaseHolder): Promise<boolean> => {
  const { objects, work } = deps;
  const { pool, provider, infrastructure, config, distribution } = snapshot;
  const isPoolGoing = pool.metadata.deletionTimestamp !== undefined;
  // An earlier attempt of this step has removed the infrastructure of a pool that stays.
  if (!isRemoval(snapshot)) return false;
  if (provider && infrastructure) {
    if (!(await isReleasable(work, execution, infrastructure, provider.pool.finalizer))) return false;
  }
  const left = await deleteMachines(deps, snapshot, execution);
  if (left > 0) {
    if (provider && infrastructure) await objects.mutate(provider.pool.kind, infrastructure, withGroupRemoved);
    return false;
  }
  if (provider && infrastructure) {
    await objects.delete(provider.pool.kind, infrastructure);
    await objects.mutate(provider.pool.kind, infrastructure, withoutFinalizer(provider.pool.finalizer));
  }
  if (!isPoolGoing || (await findHeldGroup(objects, pool))) return false;
  if (config && distribution) await deleteConfig(objects, distribution, config);
  await objects.mutate(kinds.machinePool, pool, withoutFinalizer(FINALIZER.machinePool));
  return true;
};

/** Deletes the Machines of a pool; returns how many there were. */
const deleteMachines = async (
  { objects }: PoolDependencies,
  { pool }: PoolSnapshot,
  { ref: { namespace, clusterName } }: LeaseHolder,
): Promise<number> => {
  const own = machinesOfPool(pool, await objects.listOfCluster(kinds.machine, namespace, clusterName));
  const staying = own.filter(({ metadata }) => !metadata.deletionTimestamp);
  await Promise.all(staying.map((machine) => objects.delete(kinds.machine, machine)));
  return own.length;
};

/** Reports a permanent failure of a step on the pool, and leaves the pool alone for a while. */
export const fail =
  (deps: PoolDependencies) =>
  async ({ pool: ref, holder, failure }: PoolInput & { failure?: Failure }) => {
    const { objects, work, touch, clock } = deps;
    const snapshot = await readPool(objects, ref);
    if (!snapshot) {
      await work.removeMachine(ref);
      return {};
    }
    const { name, message } = causeOf(failure);
    await poolRecorder(deps).warning(snapshot.pool, 'FailedReconcile', `${name}: ${message}`);
    await work.extendMachine(ref, holder, pauseFor(snapshot.pool, clock.now()));
    await touch(clusterOf(ref));
    return {};
  };
