/**
 * A user who copies a complete cluster: everything that users write, as `kubectl get -o yaml` prints it, with the name
 * of the cluster replaced everywhere. The second cluster uses the network that the first one has at that time.
 */
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { CLUSTER, named, unlessGone } from '../user.ts';
import type { CopyOptions } from './copies.ts';

const TWIN = 'twin';
/** In the order of creation. The Cluster is last, so that its references exist. */
const KINDS_OF_USERS = [
  ...['AWSClusterTemplate', 'KubeadmControlPlaneTemplate', 'ClusterClass'],
  ...['AWSCluster', 'AWSMachineTemplate', 'KubeadmConfigTemplate', 'RKE2ConfigTemplate'],
  ...['KubeadmControlPlane', 'RKE2ControlPlane', 'AWSMachinePool'],
  ...['MachineDeployment', 'MachinePool', 'MachineHealthCheck', 'Cluster'],
];
const LOOK_MILLISECONDS = 10_000;

type Copied = KubeObject & {
  spec?: { clusterName?: string; controlPlaneEndpoint?: unknown; paused?: unknown; identityRef?: unknown };
};

/**
 * Removes the fields that the server sets, and the endpoint, which belongs to the original. A copy of a paused cluster is
 * not paused, because it could not be deleted. The identity belongs to no namespace, so both clusters use the same one.
 */
const twinOf = ({
  kind,
  metadata,
  spec: { controlPlaneEndpoint: _endpoint, paused: _paused, identityRef, ...spec } = {},
}: Copied): KubeObject => {
  const found = KINDS.find((one) => one.kind === kind);
  const { name, labels, annotations, ownerReferences, finalizers } = metadata;
  const copy = {
    ...{ apiVersion: `${found?.group}/${found?.version}`, kind, spec },
    metadata: { name, labels, annotations, ownerReferences, finalizers },
  };
  const twin = JSON.parse(JSON.stringify(copy).replaceAll(CLUSTER, TWIN)) as KubeObject;
  const named = identityRef === undefined ? twin : { ...twin, spec: { ...(twin as Copied).spec, identityRef } };
  // A MachineHealthCheck may have any name.
  return name === twin.metadata.name ? { ...named, metadata: { ...twin.metadata, name: `${TWIN}-${name}` } } : named;
};

const isOfCluster = ({ metadata, spec }: Copied): boolean =>
  metadata.name.includes(CLUSTER) || spec?.clusterName === CLUSTER;

const machinesOf = (objects: readonly KubeObject[]): number =>
  objects.reduce((sum, object) => sum + ((object as { spec?: { replicas?: number } }).spec?.replicas ?? 0), 0);

/**
 * `onCopied` gets the number of machines of the second cluster, which exists as long as other copies do. Resolves when
 * the cluster and all objects that were copied for it no longer exist.
 */
export const copyWholeCluster = async (
  onCopied: (machines: number) => void,
  { user, wait, milliseconds, isRestoring }: CopyOptions,
): Promise<void> => {
  const originals: Copied[] = [];
  for (const kind of KINDS_OF_USERS) originals.push(...(await user.list<Copied>(kind)).filter(isOfCluster));
  const copies = originals.map(twinOf);
  onCopied(machinesOf(copies));
  for (const copy of copies) await user.create(copy);
  await wait(milliseconds);
  const isThere = async ({ kind, metadata }: KubeObject) => (await named(user, kind, metadata.name)) !== undefined;
  // Deletes the Cluster first, and then the objects that it does not own.
  const remove = async (): Promise<void> => {
    for (const copy of copies.toReversed()) {
      while (await isThere(copy)) {
        await user.remove(copy.kind, copy.metadata.name).catch(unlessGone);
        await wait(LOOK_MILLISECONDS);
      }
    }
  };
  await remove();
  if (!isRestoring()) return;
  while (isRestoring()) await wait(LOOK_MILLISECONDS);
  await remove();
};
