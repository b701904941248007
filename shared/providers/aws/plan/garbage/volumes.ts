import { VOLUMES_ANNOTATION } from '../../../../kinds/rules/aws-wishes.ts';
import type { KubeObject } from '../../../../kube-api/object.ts';
import { type ClusterName, cloudProviderTag, type Tags } from '../../tags.ts';
import { isAnothers } from './ownership.ts';
import { GC_ANNOTATION } from './tasks.ts';

/** Of the EBS CSI driver, on every volume that it makes: the name of the PersistentVolume. */
export const CSI_VOLUME_TAG = 'CSIVolumeName';

/** A volume as EC2 lists it. */
export interface FoundVolume {
  id: string;
  sizeGib: number;
  tags: Tags;
  createdAt?: Date | undefined;
}

export type VolumePolicy = 'Keep' | 'Delete';

/**
 * What happens to the volumes. Upstream's annotation that disables collection applies to them as well. Throws if the
 * annotation has another value: a deletion must not guess.
 */
export const volumePolicyOf = (
  awsCluster: Pick<KubeObject, 'metadata'> | undefined,
  collectsNothing: boolean,
): VolumePolicy => {
  const wanted = awsCluster?.metadata.annotations?.[VOLUMES_ANNOTATION] ?? 'Keep';
  if (wanted !== 'Keep' && wanted !== 'Delete')
    throw new RangeError(`annotation ${VOLUMES_ANNOTATION} must be Keep or Delete, not ${wanted}`);
  return collectsNothing ? 'Keep' : wanted;
};

/** Volumes that the CSI driver of the cluster made; those that carry the tag of another cluster as well are not. */
export const volumesOf = (cluster: ClusterName, found: readonly FoundVolume[]): FoundVolume[] =>
  found.filter(
    ({ tags }) =>
      tags[CSI_VOLUME_TAG] !== undefined &&
      tags[cloudProviderTag(cluster.name)] === 'owned' &&
      !isAnothers(cluster, tags),
  );

/** A volume that is older than the cluster cannot belong to it; nor can one of unknown age. */
export const isOlderThan = ({ metadata }: Pick<KubeObject, 'metadata'>, { createdAt }: FoundVolume): boolean =>
  createdAt === undefined || createdAt.getTime() < Date.parse(metadata.creationTimestamp ?? '');

/** As many as an event can be read with. */
const MAX_NAMED = 20;

export const describeVolumes = (volumes: readonly FoundVolume[]): string => {
  const named = volumes
    .slice(0, MAX_NAMED)
    .map(({ id, sizeGib, tags }) => `${id} (${tags[CSI_VOLUME_TAG]}, ${sizeGib} GiB)`);
  const rest = volumes.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

/** Why volumes stay, and what lets them go, for the person who deletes the cluster. */
export const keptMessage = (volumes: readonly FoundVolume[], reason: string | undefined): string =>
  `Kept ${volumes.length} ${volumes.length === 1 ? 'volume' : 'volumes'} that the cluster's controllers created: ${describeVolumes(volumes)}; ${
    reason ??
    `the annotation ${VOLUMES_ANNOTATION}: Delete of an AWSCluster (and no ${GC_ANNOTATION}: "false") deletes them with the cluster`
  }`;
