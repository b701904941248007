import { recordEvent } from '../../../shared/events/record.ts';
import { kinds, type MachineDeployment, type MachineSet } from '../../../shared/kinds/index.ts';
import { ANNOTATION, FINALIZER } from '../../../shared/plan/labels.ts';
import { ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { currentSet, desiredMachineSet } from '../../../shared/plan/workers/machine-set.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { type ClusterSnapshot, isControlledBy, readCluster } from '../snapshot.ts';
import { withoutFinalizer } from './begin.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { scaleSet } from './machine-set.ts';

/** Brings each MachineDeployment's MachineSet, and the machines of every set, to what is wanted. */
export const workers =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref }: ConvergeInput) => {
    const snapshot = await readCluster(deps.objects, ref);
    if (!snapshot) return {};
    const sets = await Promise.all(snapshot.deployments.map((owner) => reconcileDeployment(deps, snapshot, owner)));
    const owned = new Set(sets.flat().map((set) => set.metadata.uid));
    const others = snapshot.sets.filter((set) => !owned.has(set.metadata.uid));
    const changed = await Promise.all([...sets.flat(), ...others].map((set) => scaleSet(deps, snapshot, set)));
    await Promise.all(snapshot.deployments.map((owner) => finishDeployment(deps, snapshot, owner)));
    return { changed: changed.reduce((total, count) => total + count, 0) };
  };

const keyOf = ({ metadata }: MachineDeployment | MachineSet) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

const adoptDeployment = ({ objects }: ObjectsDependencies, { cluster }: ClusterSnapshot, owner: MachineDeployment) =>
  objects.mutate(
    kinds.machineDeployment,
    keyOf(owner),
    (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        finalizers: [...new Set([...(current.metadata.finalizers ?? []), FINALIZER.machineDeployment])],
        ownerReferences: withOwner(current.metadata.ownerReferences, ownerReference(cluster)),
      },
    }),
    { from: owner },
  );

/** The sets of a deployment, the current one made or brought to the deployment's replicas. */
const reconcileDeployment = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  deployment: MachineDeployment,
): Promise<MachineSet[]> => {
  const { objects } = deps;
  const owned = snapshot.sets.filter((set) => isControlledBy(set, deployment));
  if (deployment.metadata.deletionTimestamp) {
    await Promise.all(owned.map((set) => objects.delete(kinds.machineSet, keyOf(set))));
    const gone = await Promise.all(owned.map((set) => objects.get(kinds.machineSet, keyOf(set))));
    return gone.filter((set) => set !== undefined);
  }
  await adoptDeployment(deps, snapshot, deployment);
  const current = currentSet(deployment, owned);
  if (current) return await resize(deps, deployment, current, owned);
  // Replacing machines of an earlier template is a rollout; until rollouts exist the earlier set keeps the replicas.
  const serving = owned.find((set) => !set.metadata.deletionTimestamp && (set.spec.replicas ?? 0) > 0);
  if (serving) return await resize(deps, deployment, serving, owned);
  return [await createSet(deps, deployment, owned), ...owned];
};

const createSet = async (
  { objects, clock }: ObjectsDependencies,
  deployment: MachineDeployment,
  owned: readonly MachineSet[],
): Promise<MachineSet> => {
  const revisions = owned.map((set) => Number(set.metadata.annotations?.[ANNOTATION.revision] ?? 0));
  const wanted = desiredMachineSet(deployment, Math.max(0, ...revisions) + 1);
  const { object, created } = await objects.ensure(kinds.machineSet, wanted);
  if (created) {
    const message = `Created MachineSet ${object.metadata.name} with ${object.spec.replicas} replicas`;
    await recordEvent(
      objects,
      { regarding: deployment, type: 'Normal', reason: 'SuccessfulCreate', message, component: 'machine-deployment' },
      clock,
    );
  }
  return object;
};

const resize = async (
  { objects, clock }: ObjectsDependencies,
  deployment: MachineDeployment,
  serving: MachineSet,
  owned: readonly MachineSet[],
): Promise<MachineSet[]> => {
  const before = serving.spec.replicas ?? 1;
  const wanted = deployment.spec.replicas ?? 1;
  const next = await objects.mutate(kinds.machineSet, keyOf(serving), (current) => ({
    ...current,
    spec: {
      ...current.spec,
      replicas: wanted,
      deletion: deployment.spec.deletion?.order ? { order: deployment.spec.deletion.order } : current.spec.deletion,
    },
  }));
  if (before !== wanted) {
    const message = `Scaled MachineSet ${serving.metadata.name} from ${before} to ${wanted} replicas`;
    await recordEvent(
      objects,
      {
        regarding: deployment,
        type: 'Normal',
        reason: wanted > before ? 'SuccessfulScaleUp' : 'SuccessfulScaleDown',
        message,
        component: 'machine-deployment',
      },
      clock,
    );
  }
  return owned.map((set) => (next && set.metadata.uid === next.metadata.uid ? next : set));
};

/** A deployment that is being deleted goes when its sets are gone. */
const finishDeployment = async (
  { objects }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  deployment: MachineDeployment,
): Promise<void> => {
  if (!deployment.metadata.deletionTimestamp) return;
  const { namespace = '', name } = snapshot.cluster.metadata;
  const sets = await objects.listOfCluster(kinds.machineSet, namespace, name);
  if (sets.some((set) => isControlledBy(set, deployment))) return;
  await objects.mutate(kinds.machineDeployment, keyOf(deployment), withoutFinalizer(FINALIZER.machineDeployment));
};
