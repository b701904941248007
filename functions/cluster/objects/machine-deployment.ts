import { recordEvent } from '../../../shared/events/record.ts';
import { kinds, type MachineDeployment, type MachineSet } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { ANNOTATION, FINALIZER } from '../../../shared/plan/labels.ts';
import { ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import type { ScaleIntent } from '../../../shared/plan/rollout/facts.ts';
import { planDeployment } from '../../../shared/plan/rollout/plan.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { isMemberOf } from '../../../shared/plan/workers/adoption.ts';
import { type ClusterSnapshot, instancesOf, isControlledBy } from '../snapshot.ts';
import { writtenFrom } from '../staged.ts';
import { withoutFinalizer } from './begin.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { missingTemplates } from './missing.ts';

const COMPONENT = 'machine-deployment';

/**
 * Takes the next step of a deployment: makes the set of its current template, propagates what needs no rollout, scales
 * the sets as its strategy allows. Returns the sets whose machines are now to be made and deleted.
 */
export const reconcileDeployment = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  deployment: MachineDeployment,
): Promise<MachineSet[]> => {
  const owned = snapshot.sets.filter((set) => isControlledBy(set, deployment));
  if (deployment.metadata.deletionTimestamp) return deleteSets(deps, owned);
  if (isObjectPaused(deployment)) return owned;
  const plan = planDeployment({
    deployment,
    sets: owned,
    machinesOf: (set) => snapshot.machines.filter((machine) => isMemberOf(machine, set)),
    instances: instancesOf(snapshot),
    now: deps.clock.now(),
  });
  // Upstream as well changes nothing for a template that is not there: what would go could not be replaced.
  if (plan.create && (await isLackingTemplates(deps, deployment))) return owned;
  await noteRevision(deps, snapshot, deployment, plan.revision);
  const made = plan.create ? [await createSet(deps, deployment, plan.create)] : [];
  const written = await Promise.all(plan.update.map((set) => updateSet(deps, owned, set)));
  const updated = written.filter((set) => set !== undefined);
  await recordScaling(deps, deployment, owned, plan.scale.filter(isWritten(updated)));
  const isRemoved = ({ metadata }: MachineSet) => plan.remove.includes(metadata.name);
  const removed = await removeSets(deps, deployment, updated.filter(isRemoved));
  const leaving = owned.filter(({ metadata }) => metadata.deletionTimestamp);
  return [...made, ...updated.filter((set) => !isRemoved(set)), ...removed, ...leaving];
};

const isLackingTemplates = async (deps: ObjectsDependencies, deployment: MachineDeployment): Promise<boolean> => {
  const missing = await missingTemplates(deps, deployment);
  if (missing.length === 0) return false;
  const message = `${missing.map((line) => line.replace(/^\* /, '')).join(' and ')}; create it or correct spec.template.spec`;
  await recordEvent(
    deps.objects,
    { regarding: deployment, type: 'Warning', reason: 'CloneTemplateFailed', message, component: COMPONENT },
    deps.clock,
  );
  return true;
};

const deleteSets = async ({ objects }: ObjectsDependencies, sets: readonly MachineSet[]): Promise<MachineSet[]> => {
  await Promise.all(sets.map((set) => objects.delete(kinds.machineSet, keyOf(set))));
  const left = await Promise.all(sets.map((set) => objects.get(kinds.machineSet, keyOf(set))));
  return left.filter((set) => set !== undefined);
};

/** The deployment's own part: its finalizer, its cluster, the number of its current revision. */
const noteRevision = (
  { objects }: ObjectsDependencies,
  { cluster }: ClusterSnapshot,
  owner: MachineDeployment,
  revision: number,
) =>
  objects.mutate(
    kinds.machineDeployment,
    keyOf(owner),
    (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        finalizers: [...new Set([...(current.metadata.finalizers ?? []), FINALIZER.machineDeployment])],
        annotations: { ...current.metadata.annotations, [ANNOTATION.revision]: String(revision) },
        ownerReferences: withOwner(current.metadata.ownerReferences, ownerReference(cluster)),
      },
    }),
    writtenFrom(owner),
  );

const createSet = async (
  { objects, clock }: ObjectsDependencies,
  deployment: MachineDeployment,
  wanted: MachineSet,
): Promise<MachineSet> => {
  const { object, created } = await objects.ensure(kinds.machineSet, wanted);
  if (created) {
    const message = `Created MachineSet ${object.metadata.name} with ${object.spec.replicas} replicas`;
    await recordEvent(
      objects,
      { regarding: deployment, type: 'Normal', reason: 'SuccessfulCreate', message, component: COMPONENT },
      clock,
    );
  }
  return object;
};

/** Writes a set as it was planned, unless someone has changed it since: then the next pass plans again. */
const updateSet = (
  { objects }: ObjectsDependencies,
  owned: readonly MachineSet[],
  wanted: MachineSet,
): Promise<MachineSet | undefined> => {
  const from = owned.find(({ metadata }) => metadata.uid === wanted.metadata.uid);
  const isSame = ({ metadata }: MachineSet) => metadata.resourceVersion === from?.metadata.resourceVersion;
  const change = (current: MachineSet) => (isSame(current) ? { ...wanted, status: current.status } : current);
  return objects.mutate(kinds.machineSet, keyOf(wanted), change, from ? { from } : {});
};

/** Whether a planned change of replicas came to be: someone else may have written the set first. */
const isWritten =
  (written: readonly MachineSet[]) =>
  ({ set, replicas }: ScaleIntent): boolean =>
    written.some(({ metadata, spec }) => metadata.name === set && spec.replicas === replicas);

const recordScaling = async (
  { objects, clock }: ObjectsDependencies,
  deployment: MachineDeployment,
  owned: readonly MachineSet[],
  intents: readonly ScaleIntent[],
): Promise<void> => {
  for (const { set, replicas, reason } of intents) {
    const before = owned.find(({ metadata }) => metadata.name === set)?.spec.replicas;
    if (before === undefined) continue;
    const message = `Scaled MachineSet ${set} from ${before} to ${replicas} replicas: ${reason}`;
    const why = replicas > before ? 'SuccessfulScaleUp' : 'SuccessfulScaleDown';
    await recordEvent(
      objects,
      { regarding: deployment, type: 'Normal', reason: why, message, component: COMPONENT },
      clock,
    );
  }
};

/** Deletes the sets that the plan lets go; returns them as they are then, if they are still there. */
const removeSets = async (
  deps: ObjectsDependencies,
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
): Promise<MachineSet[]> => {
  const left = await deleteSets(deps, sets);
  for (const { metadata } of sets) {
    const message = `Deleted MachineSet ${metadata.name}, whose machines are all replaced`;
    await recordEvent(
      deps.objects,
      { regarding: deployment, type: 'Normal', reason: 'SuccessfulDelete', message, component: COMPONENT },
      deps.clock,
    );
  }
  return left;
};

/** A deployment that is being deleted goes when its sets are gone. */
export const finishDeployment = async (
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
