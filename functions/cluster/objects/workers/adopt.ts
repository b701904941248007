import type { EventRecorder } from '../../../../shared/events/recorder.ts';
import { kinds, type Machine, type MachineSet } from '../../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { FINALIZER, LABEL } from '../../../../shared/plan/labels.ts';
import { controllerReference, ownerReference, withOwner } from '../../../../shared/plan/machines/desired.ts';
import { type Adoption, hasController, planAdoption } from '../../../../shared/plan/workers/adoption.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { machineDeploymentRecorder, machineSetRecorder } from '../reasons.ts';

/** The kind of the adopted objects, and the object that adopts them. */
interface Adopted<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  finalizer: string;
  recorder: (deps: ObjectsDependencies) => EventRecorder<'SuccessfulAdopt', never>;
}

const SETS: Adopted<MachineSet> = {
  resource: kinds.machineSet,
  finalizer: FINALIZER.machineSet,
  recorder: machineDeploymentRecorder,
};

const MACHINES: Adopted<Machine> = {
  resource: kinds.machine,
  finalizer: FINALIZER.machine,
  recorder: machineSetRecorder,
};

/** Gives sets and machines without an owner the owner that selects them. Returns the updated snapshot. */
export const adoptOrphans = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot): Promise<ClusterSnapshot> => {
  const found = planAdoption(snapshot);
  const leaving = await leavingOwners(deps, [...found.sets, ...found.machines]);
  const isKept = ({ owner }: Adoption<KubeObject>): boolean => !leaving.has(owner.metadata.uid);
  const plan = { sets: found.sets.filter(isKept), machines: found.machines.filter(isKept) };
  const [sets, machines] = await Promise.all([
    Promise.all(plan.sets.map((adoption) => adopt(deps, SETS, adoption))),
    Promise.all(plan.machines.map((adoption) => adopt(deps, MACHINES, adoption))),
  ]);
  return { ...snapshot, sets: replaced(snapshot.sets, sets), machines: replaced(snapshot.machines, machines) };
};

const replaced = <T extends KubeObject>(before: readonly T[], now: readonly (T | undefined)[]): T[] => {
  const byUid = new Map(now.flatMap((object) => (object ? [[object.metadata.uid, object] as const] : [])));
  return before.map((object) => byUid.get(object.metadata.uid) ?? object);
};

/**
 * The uids of owners that no longer exist or are being deleted. Reads again: an object that was just released because
 * of `--cascade=orphan` must not be adopted by its former owner, with which the garbage collector would delete it
 * (kubernetes/kubernetes#42639).
 */
const leavingOwners = async (
  { objects }: ObjectsDependencies,
  adoptions: readonly Adoption<KubeObject>[],
): Promise<ReadonlySet<string | undefined>> => {
  const owners = new Map(adoptions.filter(({ controls }) => controls).map(({ owner }) => [owner.metadata.uid, owner]));
  const leaving = [...owners.values()].map(async (owner) => {
    const resource = owner.kind === kinds.machineSet.kind ? kinds.machineSet : kinds.machineDeployment;
    const current = await objects.get(resource as typeof kinds.machineSet, keyOf(owner));
    const isStaying = current?.metadata.uid === owner.metadata.uid && !current?.metadata.deletionTimestamp;
    return isStaying ? [] : [owner.metadata.uid];
  });
  return new Set((await Promise.all(leaving)).flat());
};

const adopt = async <T extends KubeObject>(
  deps: ObjectsDependencies,
  { resource, finalizer, recorder }: Adopted<T>,
  { object, owner, controls }: Adoption<T>,
): Promise<T | undefined> => {
  const { namespace = '', name, uid } = object.metadata;
  let isOurs = false;
  const change = (current: T): T | undefined => {
    // Another controller may have adopted it first.
    isOurs = current.metadata.uid === uid && !hasController(current);
    if (!isOurs) return undefined;
    const { ownerReferences, finalizers = [], labels, deletionTimestamp } = current.metadata;
    const reference = controls ? controllerReference(owner) : ownerReference(owner);
    const clusterName = owner.kind === 'Cluster' ? owner.metadata.name : owner.metadata.labels?.[LABEL.clusterName];
    return {
      ...current,
      metadata: {
        ...current.metadata,
        ...(clusterName ? { labels: { ...labels, [LABEL.clusterName]: clusterName } } : {}),
        ownerReferences: withOwner(ownerReferences, reference),
        finalizers: deletionTimestamp ? finalizers : [...new Set([...finalizers, finalizer])],
      },
    };
  };
  const adopted = await deps.objects.mutate(resource, { namespace, name }, change, { from: object });
  if (isOurs && controls) {
    await recorder(deps).normal(owner, 'SuccessfulAdopt', `Adopted ${object.kind} "${name}"`);
  }
  return adopted;
};
