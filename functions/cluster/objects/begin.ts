import { distributionIn } from '../../../shared/distributions/registry.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { InfrastructureCluster } from '../../../shared/kinds/infrastructure.ts';
import { isOwnedByKind } from '../../../shared/kinds/reference.ts';
import { type KubeObject, keyOf, type OwnerReference } from '../../../shared/kube-api/object.ts';
import { withFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { FINALIZER, LABEL } from '../../../shared/plan/labels.ts';
import { controllerReference, ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { isLongUnready } from '../../../shared/plan/status/long-unready.ts';
import { isExternallyManaged, withManagerNoted } from '../../../shared/plan/status/managed-by.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import { infrastructureOf } from '../../../shared/providers/registry.ts';
import type { BeginResult, ConvergeInput, ConvergeMode } from '../../../shared/work/payloads.ts';
import { type AdoptedRef, olderClaimant } from '../claimant.ts';
import { isOfSomeCluster, otherClusterOf } from '../owners.ts';
import { isControlledBy, readClusterObject } from '../snapshot.ts';
import { reconcileTopology } from '../topology/reconcile.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { clusterRecorder } from './reasons.ts';

/**
 * The steps of a pass take a minute or two; a lease of this length outlives each of them, and can be taken over soon
 * after a crash.
 */
export const LEASE_SECONDS = 180;

/**
 * Acquires the lease and determines the work of the pass. Creates the objects of a managed topology, and adopts those
 * to which the Cluster refers.
 */
export const begin =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref, holder }: ConvergeInput): Promise<BeginResult> => {
    const { work } = deps;
    const found = await readClusterObject(deps.objects, ref);
    if (!found) {
      await work.remove(ref);
      return { mode: 'gone', wanted: 0, infrastructure: '' };
    }
    const { acquired, wanted } = await work.begin(ref, holder, LEASE_SECONDS);
    if (!acquired) return { mode: 'busy', wanted, infrastructure: '' };
    const { cluster = found, mayBeDeleted } = await reconcileTopology(deps, found);
    const infrastructure = infrastructureOf('cluster', cluster.spec.infrastructureRef)?.name ?? '';
    return { mode: await modeOf(deps, cluster, mayBeDeleted), wanted, infrastructure };
  };

/** The work of a pass that has the lease. */
const modeOf = async (deps: ObjectsDependencies, cluster: Cluster, mayBeDeleted: boolean): Promise<ConvergeMode> => {
  if (isPaused(cluster)) return 'paused';
  if (cluster.metadata.deletionTimestamp) return mayBeDeleted ? 'delete' : 'paused';
  await deps.objects.mutate(kinds.cluster, keyOf(cluster), withFinalizer(FINALIZER.cluster), { from: cluster });
  if (!(await adoptReferences(deps, cluster))) return 'paused';
  return isLongUnready(cluster, deps.clock.now()) ? 'unready' : 'normal';
};

const withOne = (finalizers: readonly string[] | undefined, added: string | undefined) =>
  added === undefined ? {} : { finalizers: [...new Set([...(finalizers ?? []), added])] };

/** Objects that another system manages get no finalizer of Windlass. */
const finalizerFrom =
  ({ finalizers }: Infrastructure) =>
  (infrastructure: InfrastructureCluster): string | undefined =>
    isExternallyManaged(infrastructure) ? undefined : finalizers.cluster;

/**
 * These objects are controlled by Windlass alone only if the Cluster has a topology; otherwise, as in upstream, they
 * may have another controller.
 */
const ownerOf = (cluster: Cluster) => (cluster.spec.topology ? controllerReference(cluster) : ownerReference(cluster));

/**
 * The owner that prevents the Cluster from using an object: another Cluster, whose infrastructure would be deleted with
 * this one, or any other controller of an external provider's object, of which the Cluster must become the controller.
 */
const otherOwner = (object: KubeObject, cluster: Cluster, isOutside: boolean): OwnerReference | undefined =>
  otherClusterOf(object, cluster) ??
  (isOutside && !isControlledBy(object, cluster)
    ? object.metadata.ownerReferences?.find(({ controller }) => controller)
    : undefined);

/** If several Clusters have adopted an object, the first one keeps it. */
const withoutOtherClusters = ({ metadata }: KubeObject, cluster: Cluster): OwnerReference[] =>
  (metadata.ownerReferences ?? []).filter(
    (owner) => !isOwnedByKind(kinds.cluster)(owner) || owner.name === cluster.metadata.name,
  );

const adopted = <T extends KubeObject>(
  object: T,
  cluster: Cluster,
  owner: OwnerReference,
  finalizer: string | undefined,
): T => ({
  ...object,
  metadata: {
    ...object.metadata,
    labels: { ...object.metadata.labels, [LABEL.clusterName]: cluster.metadata.name },
    ownerReferences: withOwner(withoutOtherClusters(object, cluster), owner),
    ...withOne(object.metadata.finalizers, finalizer),
  },
});

/** An object to which a Cluster refers. */
interface Referenced<T extends KubeObject> {
  kind: ResourceDefinition<T>;
  isOutside?: boolean | undefined;
  field: AdoptedRef;
  name: string;
  finalizerOf(object: T): string | undefined;
  /** The Clusters in the namespace. */
  clusters(): Promise<readonly Cluster[]>;
}

/**
 * Makes the Cluster an owner of an object to which it refers; undefined if that does not exist or has another owner. An
 * object without an owner may belong to another Cluster that has not adopted it yet.
 */
const adopt = async <T extends KubeObject>(
  deps: ObjectsDependencies,
  cluster: Cluster,
  { kind, isOutside = false, field, name, finalizerOf, clusters }: Referenced<T>,
): Promise<T | undefined> => {
  const { namespace = '' } = cluster.metadata;
  const owner = isOutside ? controllerReference(cluster) : ownerOf(cluster);
  const take = (mayTake: (object: T) => boolean) =>
    deps.objects.mutate(kind, { namespace, name }, (object) =>
      otherOwner(object, cluster, isOutside) || !mayTake(object)
        ? undefined
        : adopted(object, cluster, owner, finalizerOf(object)),
    );
  const otherOf = async (object: T): Promise<Pick<OwnerReference, 'kind' | 'name'> | undefined> => {
    const other = otherOwner(object, cluster, isOutside);
    if (other || isOfSomeCluster(object)) return other;
    const older = olderClaimant(await clusters(), cluster, field);
    return older && { kind: older.kind, name: older.metadata.name };
  };
  let found = await take(isOfSomeCluster);
  let other = found && (await otherOf(found));
  if (found && !other && !isOfSomeCluster(found)) {
    found = await take(() => true);
    other = found && otherOwner(found, cluster, isOutside);
  }
  if (!found || !other) return found;
  const message = `${kind.kind} ${name} belongs to ${other.kind} ${other.name}, and is not used; refer to another object`;
  await clusterRecorder(deps).warning(cluster, 'ReferenceNotAdopted', message);
  return undefined;
};

/**
 * Records that another system manages the infrastructure; writes nothing if Windlass does, or if this is already
 * recorded.
 */
export const noteManager = async (
  objects: ObjectClient,
  cluster: Cluster,
  infrastructure: InfrastructureCluster,
): Promise<void> => {
  if (!withManagerNoted(cluster, infrastructure)) return;
  const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name };
  await objects.mutate(kinds.cluster, key, (current) => withManagerNoted(current, infrastructure));
};

/**
 * Makes the Cluster the owner of its infrastructure and control plane. False if the infrastructure object does not
 * exist (yet): then nothing can be created, and the status names the missing object.
 */
const adoptReferences = async (deps: ObjectsDependencies, cluster: Cluster): Promise<boolean> => {
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const distribution = distributionIn(cluster, 'controlPlane', controlPlaneRef);
  const provider = infrastructureOf('cluster', infrastructureRef);
  // Both references use this list, but only if an object has no owner.
  let listing: Promise<Cluster[]> | undefined;
  const clusters = () => (listing ??= deps.objects.list(kinds.cluster, cluster.metadata.namespace ?? ''));
  const [infrastructure] = await Promise.all([
    infrastructureRef &&
      provider &&
      adopt(deps, cluster, {
        ...{ kind: provider.cluster, isOutside: provider.isOutside, clusters },
        ...{ field: 'infrastructureRef', name: infrastructureRef.name, finalizerOf: finalizerFrom(provider) },
      }),
    controlPlaneRef &&
      distribution &&
      adopt(deps, cluster, {
        ...{ kind: distribution.controlPlane, isOutside: distribution.isOutside, clusters },
        ...{ field: 'controlPlaneRef', name: controlPlaneRef.name, finalizerOf: () => distribution.finalizer },
      }),
  ]);
  if (infrastructure) await noteManager(deps.objects, cluster, infrastructure);
  return infrastructure !== undefined;
};
