import { recordEvent } from '../../../shared/events/record.ts';
import { kinds, type Machine, type MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { FINALIZER, LABEL } from '../../../shared/plan/labels.ts';
import { controllerReference, ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { type Adoption, hasController, planAdoption } from '../../../shared/plan/workers/adoption.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

const COMPONENT = { MachineDeployment: 'machine-deployment', MachineSet: 'machine-set', Cluster: 'cluster' };

/** Gives sets and machines that have no owner the one that selects them. Returns the snapshot as it is then. */
export const adoptOrphans = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot): Promise<ClusterSnapshot> => {
  const plan = planAdoption(snapshot);
  const [sets, machines] = await Promise.all([
    Promise.all(plan.sets.map((adoption) => adopt<MachineSet>(deps, kinds.machineSet, adoption, FINALIZER.machineSet))),
    Promise.all(plan.machines.map((adoption) => adopt<Machine>(deps, kinds.machine, adoption, FINALIZER.machine))),
  ]);
  return { ...snapshot, sets: replaced(snapshot.sets, sets), machines: replaced(snapshot.machines, machines) };
};

const replaced = <T extends KubeObject>(before: readonly T[], now: readonly (T | undefined)[]): T[] => {
  const byUid = new Map(now.flatMap((object) => (object ? [[object.metadata.uid, object] as const] : [])));
  return before.map((object) => byUid.get(object.metadata.uid) ?? object);
};

const adopt = async <T extends KubeObject>(
  { objects, clock }: ObjectsDependencies,
  resource: ResourceDefinition<T>,
  { object, owner, controls }: Adoption<T>,
  finalizer: string,
): Promise<T | undefined> => {
  const { namespace = '', name, uid } = object.metadata;
  let isOurs = false;
  const change = (current: T): T | undefined => {
    // Someone may have been first.
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
  const adopted = await objects.mutate(resource, { namespace, name }, change, { from: object });
  if (isOurs && controls) {
    const happening = {
      type: 'Normal',
      reason: 'SuccessfulAdopt',
      message: `Adopted ${object.kind} "${name}"`,
    } as const;
    const component = COMPONENT[owner.kind as keyof typeof COMPONENT];
    await recordEvent(objects, { regarding: owner, ...happening, component }, clock);
  }
  return adopted;
};
