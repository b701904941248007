import { DISTRIBUTIONS } from '../../../../shared/distributions/registry.ts';
import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject, OwnerReference } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { LABEL } from '../../../../shared/plan/labels.ts';
import { type Referent, referentsOf, refersToAny } from '../../../../shared/plan/references.ts';
import { INFRASTRUCTURES } from '../../../../shared/providers/registry.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import { clusterRefOf } from '../../../cluster-ref.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/** An object with the definition of its kind. */
interface Item {
  resource: ResourceDefinition;
  object: KubeObject;
}

const TEMPLATES = [
  ...INFRASTRUCTURES.map(({ machineTemplate }) => machineTemplate),
  ...DISTRIBUTIONS.map(({ configTemplate }) => configTemplate),
] as unknown as readonly ResourceDefinition[];

/** The built-in kinds that name templates of machines. */
const USERS = [
  ...[kinds.machineDeployment, kinds.machineSet, kinds.clusterClass],
  ...DISTRIBUTIONS.map(({ controlPlane }) => controlPlane),
] as unknown as readonly ResourceDefinition[];

/** The number of clusters that are touched concurrently. */
const TOUCHES = 8;

const isOwner =
  ({ metadata }: Cluster) =>
  ({ uid }: OwnerReference): boolean =>
    uid === metadata.uid;

const ownersOf = ({ object }: Item): OwnerReference[] => object.metadata.ownerReferences ?? [];

const clusterNameOf = ({ resource, object }: Item): string | undefined =>
  resource.clusterNameOf?.(object) ?? object.metadata.labels?.[LABEL.clusterName];

/** Whether an object is deleted with the cluster. */
const isPartOf = (cluster: Cluster, item: Item): boolean =>
  clusterNameOf(item) === cluster.metadata.name ||
  (ownersOf(item).length > 0 && ownersOf(item).every(isOwner(cluster)));

const referentOf = ({ object: { kind, metadata } }: Item): Referent => ({ kind, name: metadata.name });

const textOf = ({ kind, name }: Referent): string => `${kind}/${name}`;

const readAll = async (
  kindsToRead: readonly ResourceDefinition[],
  read: (resource: ResourceDefinition) => Promise<KubeObject[]>,
): Promise<Item[]> => {
  const lists = kindsToRead.map(async (resource) => (await read(resource)).map((object) => ({ resource, object })));
  return (await Promise.all(lists)).flat();
};

/**
 * Deletes the templates that only this Cluster owns, unless objects of other clusters name them, which were not made
 * owners because there was no room (withFurtherOwner). Other templates only lose this owner. Templates need no cluster
 * label, so they are found by their owner.
 */
export const collectTemplates = async (deps: ObjectsDependencies, cluster: Cluster): Promise<void> => {
  const { objects } = deps;
  const { namespace = '' } = cluster.metadata;
  const list = (resource: ResourceDefinition) => objects.list(resource, namespace);
  const [own, outside] = await Promise.all([
    readAll(TEMPLATES, list),
    readAll((await deps.outsideKinds?.()) ?? [], list),
  ]);
  const owned = [...own, ...outside].filter((item) => ownersOf(item).some(isOwner(cluster)));
  const isLast = (item: Item): boolean => ownersOf(item).every(isOwner(cluster));
  const users = await readUsers(objects, cluster, owned.filter(isLast), outside);
  const named = new Set(users.flatMap(({ object }) => referentsOf(object).map(textOf)));
  // First, so that nothing is lost if this fails: the clusters become owners with their next passes.
  await touchClusters(deps, namespace, users);
  await Promise.all(
    owned.map((item) =>
      isLast(item) && !named.has(textOf(referentOf(item)))
        ? objects.delete(item.resource, item.object)
        : dropOwner(objects, cluster, item),
    ),
  );
};

/**
 * The objects outside the cluster that name one of `templates`, of built-in kinds and among `outside`. Nothing is read
 * if there are no templates.
 */
const readUsers = async (
  objects: ObjectClient,
  cluster: Cluster,
  templates: readonly Item[],
  outside: readonly Item[],
): Promise<Item[]> => {
  if (templates.length === 0) return [];
  const targets = templates.map(referentOf);
  const { namespace = '' } = cluster.metadata;
  const found = await readAll(USERS, (resource) => objects.listNaming(resource, namespace, targets));
  const refers = refersToAny(targets);
  return [...found, ...outside].filter((item) => refers(item.object) && !isPartOf(cluster, item));
};

const touchClusters = async (
  { objects, touch }: ObjectsDependencies,
  namespace: string,
  users: readonly Item[],
): Promise<void> => {
  const names = [...new Set(users.flatMap((user) => clusterNameOf(user) ?? []))];
  await mapConcurrently(names, TOUCHES, async (name) => {
    const other = await objects.get(kinds.cluster, { namespace, name });
    if (other) await touch(clusterRefOf(other));
  });
};

const dropOwner = (objects: ObjectClient, cluster: Cluster, { resource, object }: Item): Promise<unknown> =>
  objects.mutate(resource, object, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      ownerReferences: current.metadata.ownerReferences?.filter((owner) => !isOwner(cluster)(owner)),
    },
  }));
