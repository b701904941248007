import { VOLUMES_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import type { KubeObject } from '../../../../kube-api/object.ts';
import type { Filter } from '../../network/filters.ts';
import { type ClusterName, cloudProviderTag, OWNER_TAG, ownerOf, type Tags } from '../../tags.ts';
import { isAnothers } from './ownership.ts';
import { GC_ANNOTATION } from './tasks.ts';

/** A tag of the EBS CSI driver on every volume that it creates: the name of the PersistentVolume. */
const CSI_VOLUME_TAG = 'CSIVolumeName';

/** A volume as EC2 lists it. */
export interface FoundVolume {
  id: string;
  sizeGib: number;
  tags: Tags;
  createdAt?: Date | undefined;
}

type Metadata = Pick<KubeObject, 'metadata'>;

export type VolumePolicy = 'Keep' | 'Delete';

/**
 * What happens to the volumes. Upstream's annotation that disables collection applies to them as well. Throws if the
 * annotation has another value: a deletion must not guess.
 */
export const volumePolicyOf = (awsCluster: Metadata | undefined, collectsNothing: boolean): VolumePolicy => {
  const wanted = awsCluster?.metadata.annotations?.[VOLUMES_ANNOTATION] ?? 'Keep';
  if (wanted !== 'Keep' && wanted !== 'Delete')
    throw new RangeError(`annotation ${VOLUMES_ANNOTATION} must be Keep or Delete, not ${wanted}`);
  return collectsNothing ? 'Keep' : wanted;
};

/**
 * Whether the volumes that are attached to a cluster's machines are claimed for its deletion. Unlike volumePolicyOf this
 * does not throw: the deletion of machines must not stop because of the annotation.
 */
export const claimsVolumes = (cluster: Metadata | null, awsCluster: Metadata | null): boolean =>
  cluster?.metadata.deletionTimestamp !== undefined &&
  awsCluster?.metadata.annotations?.[VOLUMES_ANNOTATION] === 'Delete';

/** Filters for the volumes that the CSI driver of a cluster with this name has created. */
export const driverFilters = ({ name }: ClusterName): Filter[] => [
  { name: `tag:${cloudProviderTag(name)}`, values: ['owned'] },
  { name: 'tag-key', values: [CSI_VOLUME_TAG] },
];

const isDrivers = ({ name }: ClusterName, tags: Tags): boolean =>
  tags[CSI_VOLUME_TAG] !== undefined && tags[cloudProviderTag(name)] === 'owned';

/**
 * Volumes that the CSI driver of a cluster with this name has created and that no cluster has claimed. The driver's tag
 * has no namespace, so they may belong to a cluster in another namespace or another installation.
 */
export const unclaimedVolumes = (cluster: ClusterName, found: readonly FoundVolume[]): FoundVolume[] =>
  found.filter(({ tags }) => isDrivers(cluster, tags) && !isAnothers(cluster, tags));

/**
 * Volumes that are proven to be the cluster's by OWNER_TAG: they were attached to its machines when it was deleted, or
 * its StorageClass sets the tag.
 */
export const claimedVolumes = (cluster: ClusterName, found: readonly FoundVolume[]): FoundVolume[] =>
  found.filter(({ tags }) => {
    const { [OWNER_TAG]: owner, ...others } = tags;
    return owner === ownerOf(cluster) && isDrivers(cluster, tags) && !isAnothers(cluster, others);
  });

/** A volume that is older than the cluster cannot belong to it; nor can one of unknown age. */
export const isOlderThan = ({ metadata }: Metadata, { createdAt }: FoundVolume): boolean =>
  createdAt === undefined || createdAt.getTime() < Date.parse(metadata.creationTimestamp ?? '');

/** With more names, an event would be hard to read. */
const MAX_NAMED = 20;

export const describeVolumes = (volumes: readonly FoundVolume[]): string => {
  const named = volumes
    .slice(0, MAX_NAMED)
    .map(({ id, sizeGib, tags }) => `${id} (${tags[CSI_VOLUME_TAG]}, ${sizeGib} GiB)`);
  const rest = volumes.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

const HOW = `the annotation ${VOLUMES_ANNOTATION}: Delete of an AWSCluster (and no ${GC_ANNOTATION}: "false")`;

/** Why the cluster's own volumes are kept, and how they can be deleted, for the user who deletes the cluster. */
export const keptMessage = (policy: VolumePolicy, volumes: readonly FoundVolume[]): string =>
  `Kept ${volumes.length} ${volumes.length === 1 ? 'volume' : 'volumes'} that the cluster's controllers created: ${describeVolumes(volumes)}; ${
    policy === 'Delete' ? 'they are older than the cluster' : `${HOW} deletes them with the cluster`
  }`;

/**
 * The same for volumes of unknown owners. It does not identify them: tenants must not learn about others' resources.
 */
export const unprovenMessage = (policy: VolumePolicy, { name }: ClusterName): string =>
  `Kept the volumes with the tags ${cloudProviderTag(name)}: owned and ${CSI_VOLUME_TAG}, which a cluster of this name created; ${
    policy === 'Delete'
      ? "they were not attached to this cluster's machines when it was deleted, so they may belong to another cluster"
      : `${HOW} deletes those that are attached to the cluster's machines when it is deleted`
  }`;
