/** A user who copies objects, as `kubectl get -o yaml` prints them, to another name, and deletes the copies. */
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { KubeObject, OwnerReference } from '../../../../shared/kube-api/object.ts';
import { CLUSTER, type User, unlessGone } from '../user.ts';

const COPY = 'copy';
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
/** Kinds of templates. */
const TEMPLATES = ['AWSClusterTemplate', 'KubeadmControlPlaneTemplate', 'AWSMachineTemplate', 'KubeadmConfigTemplate'];
const LOOK_MILLISECONDS = 10_000;
/** Polls rarely, because only a sweep releases copies to which nothing refers. */
const LOOK_FOR_RELEASED_MILLISECONDS = 300_000;

type Copied = KubeObject & { status?: unknown };

/** The copy contains the ids of instances, which this user may write as an administrator. */
const copyOf = ({ status: _, kind, ...rest }: Copied, metadata: Partial<KubeObject['metadata']>) => {
  const found = KINDS.find((one) => one.kind === kind);
  const { metadata: __, ...others } = rest;
  const apiVersion = `${found?.group}/${found?.version}`;
  return { ...others, apiVersion, kind, metadata: { ...metadata, name: COPY } };
};

/** A copy whose only metadata is the label of the cluster. */
const plainCopy = (object: Copied): KubeObject => {
  const cluster = object.metadata.labels?.[CLUSTER_LABEL];
  return copyOf(object, { labels: object.kind === 'Machine' && cluster ? { [CLUSTER_LABEL]: cluster } : {} });
};

/** A copy with all labels, finalizers and owners of the original. */
const heldCopy = (object: Copied): KubeObject => {
  const { labels = {}, finalizers = [], ownerReferences = [] } = object.metadata;
  return copyOf(object, { labels, finalizers, ownerReferences: ownerReferences as OwnerReference[] });
};

export interface CopyOptions {
  user: User;
  wait(milliseconds: number): Promise<void>;
  /** How long the copies exist; several passes see them. */
  milliseconds: number;
  /** Whether an earlier state of the table, which may contain the copies, is about to be restored. */
  isRestoring(): boolean;
}

const create = async (copies: readonly KubeObject[], { user, wait, milliseconds }: CopyOptions): Promise<void> => {
  for (const copy of copies) await user.create(copy);
  await wait(milliseconds);
};

const isThere = async (user: User, { kind }: KubeObject): Promise<boolean> =>
  (await user.list(kind)).some(({ metadata }) => metadata.name === COPY);

/**
 * Deletes the copies, and resolves when they no longer exist, even in a restored table. `release` ends the use of
 * copies.
 */
const remove = async (
  copies: readonly KubeObject[],
  { user, wait, isRestoring }: CopyOptions,
  lookMilliseconds: number,
  release = async (): Promise<void> => {},
): Promise<void> => {
  let left = copies;
  for (;;) {
    await release();
    // The deletion of the cluster may have deleted the copy.
    for (const { kind } of left) await user.remove(kind, COPY).catch(unlessGone);
    const isLeft = await Promise.all(copies.map((copy) => isThere(user, copy)));
    left = copies.filter((_, index) => isLeft[index]);
    if (left.length === 0 && !isRestoring()) return;
    await wait(lookMilliseconds);
  }
};

/**
 * Copies the cluster and this machine. Resolves when the copies no longer exist, to whether there was anything to copy.
 */
export const copyCluster = async (machine: Copied | undefined, options: CopyOptions): Promise<boolean> => {
  const cluster = (await options.user.list<Copied>('Cluster')).find(({ metadata }) => metadata.name === CLUSTER);
  const copies = [machine, cluster].filter((object) => object !== undefined).map(plainCopy);
  await create(copies, options);
  await remove(copies, options, LOOK_MILLISECONDS);
  return copies.length > 0;
};

type Group = Copied & { spec: { replicas?: number } };

/**
 * Copies one group of each kind. `onCopied` gets the number of machines that the copies create. False if there is no
 * group.
 */
export const copyGroups = async (onCopied: (machines: number) => void, options: CopyOptions): Promise<boolean> => {
  const groups: Group[] = [];
  for (const kind of ['MachineDeployment', 'MachineSet', 'MachinePool']) {
    const [original] = await options.user.list<Group>(kind);
    if (original) groups.push(original);
  }
  onCopied(groups.reduce((sum, { spec }) => sum + (spec.replicas ?? 1), 0));
  const copies = groups.map(plainCopy);
  await create(copies, options);
  await remove(copies, options, LOOK_MILLISECONDS);
  return copies.length > 0;
};

/** Changes the class of the cluster to the one with this name. */
const rebase = (user: User, name: string): Promise<void> =>
  user.patch('Cluster', CLUSTER, { spec: { topology: { classRef: { name } } } }).catch(unlessGone);

/**
 * Copies the class of the cluster, if it has one, and its templates, with all labels, finalizers and owners. The
 * cluster uses the copy of the class as long as this copy exists. False if there is nothing to copy.
 */
export const copyClass = async (options: CopyOptions): Promise<boolean> => {
  const { user, wait, milliseconds } = options;
  const [original] = await user.list<Copied>('ClusterClass');
  const copies = original ? [heldCopy(original)] : [];
  for (const kind of TEMPLATES)
    for (const one of (await user.list<Copied>(kind)).slice(0, 1)) copies.push(heldCopy(one));
  for (const copy of copies) await user.create(copy);
  if (original) await rebase(user, COPY);
  await wait(milliseconds);
  await remove(copies, options, LOOK_MILLISECONDS, async () => {
    if (original) await rebase(user, original.metadata.name);
  });
  return copies.length > 0;
};

/**
 * Copies the objects to which the cluster and its machines refer, and which passes only find by these references.
 * Starts to delete the copies: `released` resolves when they no longer exist. `copies` is their number.
 */
export const copyInfrastructure = async (
  options: CopyOptions,
): Promise<{ copies: number; released: Promise<void> }> => {
  const copies: KubeObject[] = [];
  for (const kind of ['AWSCluster', 'KubeadmControlPlane', 'RKE2ControlPlane', 'AWSMachine', 'AWSMachinePool']) {
    const [original] = await options.user.list<Copied>(kind);
    if (original) copies.push(heldCopy(original));
  }
  await create(copies, options);
  return { copies: copies.length, released: remove(copies, options, LOOK_FOR_RELEASED_MILLISECONDS) };
};
