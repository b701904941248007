import { type Cluster, type ClusterResourceSet, kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { ManifestError, readManifests } from '../../shared/plan/addons/manifests.ts';
import { selectsCluster } from '../../shared/plan/addons/selection.ts';
import { isWrongSecret, type Source, valuesOf } from '../../shared/plan/addons/source.ts';
import { initializationSwitch, isCloudController } from '../../shared/plan/machines/cloud-controller.ts';
import type { WorkloadClient } from '../../shared/workload/client.ts';

/**
 * The program that manages the nodes of a cluster instead of Windlass; undefined if Windlass does. If the annotation is
 * set, it decides. Otherwise, a cloud controller manager manages them if one runs or a ClusterResourceSet installs one.
 */
export const otherNodeController = async (
  objects: ObjectClient,
  client: WorkloadClient,
  cluster: Cluster,
): Promise<string | undefined> => {
  const wanted = initializationSwitch(cluster);
  if (wanted === 'Enabled') return undefined;
  if (wanted === 'Disabled') return 'another controller, according to the annotation windlass.dev/node-initialization';
  return cloudControllerIn(objects, client, cluster);
};

/**
 * The cloud controller manager of a cluster, or the add-on that contains one, regardless of annotations about nodes.
 */
export const cloudControllerIn = async (
  objects: ObjectClient,
  client: Pick<WorkloadClient, 'cloudController'>,
  cluster: Cluster,
): Promise<string | undefined> => (await client.cloudController()) ?? (await announced(objects, cluster));

const announced = async (objects: ObjectClient, cluster: Cluster): Promise<string | undefined> => {
  const { namespace = '' } = cluster.metadata;
  const sets = (await objects.list(kinds.clusterResourceSet, namespace)).filter(
    (set) => !set.metadata.deletionTimestamp && selectsCluster(set, cluster),
  );
  for (const set of sets) {
    const sources = await Promise.all(set.spec.resources.map((ref) => readSource(objects, set, ref)));
    if (sources.some(bringsOne)) return `ClusterResourceSet ${namespace}/${set.metadata.name}`;
  }
  return undefined;
};

const readSource = async (
  objects: ObjectClient,
  { metadata: { namespace = '' } }: ClusterResourceSet,
  ref: Source['ref'],
): Promise<Source> => {
  const key = { namespace, name: ref.name };
  const object = ref.kind === 'Secret' ? await objects.get(kinds.secret, key) : await objects.get(kinds.configMap, key);
  return { ref, object };
};

const bringsOne = (source: Source): boolean => {
  const values = isWrongSecret(source) ? undefined : valuesOf(source);
  if (!values) return false;
  try {
    const texts = new Map([...values].map(([key, value]) => [key, value.toString('utf8')]));
    return readManifests(texts).some((object) => isCloudController(object));
  } catch (error) {
    // An unreadable manifest is never applied; the set's condition gives the reason.
    if (error instanceof ManifestError) return false;
    throw error;
  }
};
