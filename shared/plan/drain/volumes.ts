import type { AttachedVolume, DrainNode, PersistentVolume } from './facts.ts';
import { nameSome } from './names.ts';
import type { Verdict } from './pods.ts';

/** The facts about the volumes of a node. */
export interface VolumeFacts {
  node: DrainNode;
  attached: readonly AttachedVolume[];
  volumes: readonly PersistentVolume[];
  /** `namespace/name` of claims of pods that stay: their volumes also stay. */
  ignoredClaims: ReadonlySet<string>;
}

/** The volumes that a node still has, by their identifiers. */
export interface VolumesLeft {
  claims: readonly string[];
  withoutClaim: readonly string[];
  /** Names in the node's status without a PersistentVolume. */
  unknownToVolumes: readonly string[];
  /** Names in VolumeAttachments that no PersistentVolume has. */
  missingVolumes: readonly string[];
}

/** The claims of the pods that a drain leaves on the node. */
export const claimsOfSkipped = (verdicts: readonly Verdict[]): ReadonlySet<string> =>
  new Set(
    verdicts
      .filter(({ behavior }) => behavior === 'Skip')
      .flatMap(({ pod }) =>
        (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
          persistentVolumeClaim ? [`${pod.metadata.namespace}/${persistentVolumeClaim.claimName}`] : [],
        ),
      ),
  );

/** The name under which the kubelet reports a volume of a CSI driver. */
const reportedName = ({ csi }: PersistentVolume): string | undefined =>
  csi && `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;

/**
 * The names of the volumes that attachments bind to the node. A name is undefined for an attachment without a
 * PersistentVolume.
 */
export const attachedTo = (node: DrainNode, attached: readonly AttachedVolume[]): readonly AttachedVolume[] =>
  attached.filter((one) => one.node === node.name);

/** What must be detached before the machine may be deleted; undefined if there is nothing. */
export const volumesLeft = ({ node, attached, volumes, ignoredClaims }: VolumeFacts): VolumesLeft | undefined => {
  const reported = new Set(node.volumes);
  const held = new Set(attachedTo(node, attached).map(({ volume = '' }) => volume));
  const isReported = (volume: PersistentVolume): boolean => reported.has(reportedName(volume) ?? '');
  const found = volumes.filter((volume) => isReported(volume) || held.has(volume.name));
  const claims = new Set(found.flatMap(({ claim }) => (claim && !ignoredClaims.has(claim) ? [claim] : [])));
  const reportedNames = new Set(volumes.map(reportedName));
  const names = new Set(volumes.map(({ name }) => name));
  const left = {
    claims: [...claims].sort(),
    withoutClaim: found
      .filter(({ claim }) => claim === undefined)
      .map(({ name }) => name)
      .sort(),
    unknownToVolumes: [...reported].filter((name) => !reportedNames.has(name)).sort(),
    missingVolumes: [...held].filter((name) => !names.has(name)).sort(),
  };
  return Object.values(left).some((list) => list.length > 0) ? left : undefined;
};

const MOST = 5;

const line = (title: string, names: readonly string[]): string[] =>
  names.length > 0 ? [`* ${title}: ${nameSome(names, MOST)}`] : [];

const volumesTitle = (startedAt: string): string => `Waiting for Node volumes to be detached (started at ${startedAt})`;

/** What is awaited, in Cluster API's words. */
export const volumesMessage = (left: VolumesLeft, startedAt: string): string =>
  [
    volumesTitle(startedAt),
    ...line('PersistentVolumeClaims', left.claims),
    ...line('PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim', left.withoutClaim),
    ...line('Node with .status.volumesAttached entries not matching a PersistentVolume', left.unknownToVolumes),
    ...line(
      'VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume',
      left.missingVolumes,
    ),
  ].join('\n');
