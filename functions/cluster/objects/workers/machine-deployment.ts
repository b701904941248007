import { kinds, type MachineDeployment, type MachineSet } from '../../../../shared/kinds/index.ts';
import { isOrphaning } from '../../../../shared/kube-api/garbage/finalizers.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import { ANNOTATION, FINALIZER } from '../../../../shared/plan/labels.ts';
import { ownerReference, withOwner } from '../../../../shared/plan/machines/desired.ts';
import { newSet, revisionOf } from '../../../../shared/plan/rollout/desired-set.ts';
import {
  type CreateSet,
  creationOf,
  type DeploymentOperation,
  deletionOfSets,
  deploymentOperations,
  type UpdateSet,
} from '../../../../shared/plan/rollout/operations.ts';
import { planDeployment } from '../../../../shared/plan/rollout/plan.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { isMemberOf } from '../../../../shared/plan/workers/adoption.ts';
import { type ClusterSnapshot, instancesOf, isControlledBy } from '../../snapshot.ts';
import { writtenFrom } from '../../staged.ts';
import { deleteTemplatesOf } from '../../topology/set-templates.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { machineDeploymentRecorder } from '../reasons.ts';
import { missingTemplates } from '../references/missing.ts';

/**
 * Carries out the next step of a deployment: creates the set of its current template, applies changes that need no
 * rollout, and scales the sets as its strategy allows. Returns the sets whose machines must now be created and deleted.
 */
export const reconcileDeployment = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  deployment: MachineDeployment,
): Promise<MachineSet[]> => {
  const owned = snapshot.sets.filter((set) => isControlledBy(set, deployment));
  const applyAll = (operations: readonly DeploymentOperation[]) => applyEach(deps, snapshot, deployment, operations);
  // The garbage collector releases its sets.
  if (isOrphaning(deployment)) return owned;
  if (deployment.metadata.deletionTimestamp) return applyAll(deletionOfSets(owned));
  if (isObjectPaused(deployment)) return owned;
  const plan = planDeployment({
    deployment,
    sets: owned,
    machinesOf: (set) => snapshot.machines.filter((machine) => isMemberOf(machine, set)),
    instances: instancesOf(snapshot),
    now: deps.clock.now(),
  });
  // As upstream does, changes nothing if the template does not exist: deleted machines could not be replaced.
  if (plan.create && (await isLackingTemplates(deps, deployment))) return owned;
  const operations = deploymentOperations(plan, owned);
  await noteRevision(deps, snapshot, deployment, plan.revision);
  const made = await applyAll(operations.create);
  const updated = await applyAll(operations.update);
  const removing = operations.remove.filter(({ set }) => updated.some(isSame(set)));
  const removed = await applyAll(removing);
  const kept = updated.filter((set) => !removing.some((operation) => isSame(set)(operation.set)));
  const leaving = owned.filter(({ metadata }) => metadata.deletionTimestamp);
  return [...made, ...kept, ...removed, ...leaving];
};

const isSame =
  ({ metadata: { name } }: MachineSet) =>
  ({ metadata }: MachineSet): boolean =>
    metadata.name === name;

/** Carries operations out concurrently. Returns the updated sets, without those that no longer exist. */
const applyEach = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  deployment: MachineDeployment,
  operations: readonly DeploymentOperation[],
): Promise<MachineSet[]> => {
  const sets = await Promise.all(operations.map((operation) => apply(deps, snapshot, deployment, operation)));
  return sets.filter((set) => set !== undefined);
};

/** Carries out one operation, and records it on the deployment. */
const apply = async (
  deps: ObjectsDependencies,
  { sets, deployments }: ClusterSnapshot,
  deployment: MachineDeployment,
  operation: DeploymentOperation,
): Promise<MachineSet | undefined> => {
  const { objects } = deps;
  const { normal } = machineDeploymentRecorder(deps);
  const key = keyOf(operation.set);
  switch (operation.do) {
    case 'create-set':
      return create(deps, deployment, operation);
    case 'update-set': {
      const written = await update(deps, operation);
      const isScaled = written?.spec.replicas === operation.set.spec.replicas;
      if (operation.event && isScaled) await normal(deployment, operation.event.reason, operation.event.message);
      return written;
    }
    case 'delete-set':
      if (await isReleased(deps, deployment, operation.set)) return undefined;
      await objects.delete(kinds.machineSet, operation.set);
      await deleteTemplatesOf(deps, operation.set, [
        ...sets.filter((one) => !isSame(operation.set)(one)),
        ...deployments.filter(({ metadata }) => !metadata.deletionTimestamp),
      ]);
      if (operation.event) await normal(deployment, operation.event.reason, operation.event.message);
      return objects.get(kinds.machineSet, key);
  }
};

/** The number of names that a pass tries for a new set. */
const MOST_TRIES = 10;

/**
 * Creates a set, or finds the one that an interrupted pass has created. If the name belongs to a set that the deployment
 * does not control, such as one of another cluster in the namespace, that set is left alone, and a further name is tried.
 * Two passes that meet the same sets choose the same name. Undefined if none was free.
 */
const create = async (
  deps: ObjectsDependencies,
  deployment: MachineDeployment,
  planned: CreateSet,
): Promise<MachineSet | undefined> => {
  const { replicas } = planned.set.spec;
  const now = deps.clock.now();
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const other = newSet(deployment, revisionOf(planned.set), now, attempt);
    const { set, event } = attempt === 0 ? planned : creationOf({ ...other, spec: { ...other.spec, replicas } });
    const { object, created } = await deps.objects.ensure(kinds.machineSet, set);
    if (!isControlledBy(object, deployment)) continue;
    if (created) await machineDeploymentRecorder(deps).normal(deployment, event.reason, event.message);
    return object;
  }
  return undefined;
};

/**
 * Whether a deployment in deletion no longer owns a set: the garbage collector may have released it after the read,
 * because of `--cascade=orphan`.
 */
const isReleased = async ({ objects }: ObjectsDependencies, deployment: MachineDeployment, set: MachineSet) => {
  if (!deployment.metadata.deletionTimestamp) return false;
  const current = await objects.get(kinds.machineSet, keyOf(set));
  return current !== undefined && !isControlledBy(current, deployment);
};

/** Writes a set as planned, unless it has been changed since: then the next pass plans again. */
const update = (
  { objects }: ObjectsDependencies,
  { set: wanted, from }: UpdateSet,
): Promise<MachineSet | undefined> => {
  const isPlanned = ({ metadata }: MachineSet) => metadata.resourceVersion === from?.metadata.resourceVersion;
  const change = (current: MachineSet) => (isPlanned(current) ? { ...wanted, status: current.status } : current);
  return objects.mutate(kinds.machineSet, keyOf(wanted), change, from ? { from } : {});
};

const isLackingTemplates = async (deps: ObjectsDependencies, deployment: MachineDeployment): Promise<boolean> => {
  const missing = await missingTemplates(deps, deployment);
  if (missing.length === 0) return false;
  const message = `${missing.map((line) => line.replace(/^\* /, '')).join(' and ')}; create it or correct spec.template.spec`;
  await machineDeploymentRecorder(deps).warning(deployment, 'CloneTemplateFailed', message);
  return true;
};

/** Updates the deployment's own metadata: its finalizer, its cluster, and the number of its current revision. */
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

/** Removes the finalizer of a deployment in deletion when its sets are gone. */
export const finishDeployment = async (
  { objects }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  deployment: MachineDeployment,
): Promise<void> => {
  if (!deployment.metadata.deletionTimestamp) return;
  const { namespace = '', name } = snapshot.cluster.metadata;
  const sets = await objects.listOfCluster(kinds.machineSet, namespace, name);
  if (sets.some((set) => isControlledBy(set, deployment))) return;
  await objects.mutate(kinds.machineDeployment, deployment, withoutFinalizer(FINALIZER.machineDeployment));
};
