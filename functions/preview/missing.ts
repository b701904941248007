import { unserved } from '../../shared/kinds/reference.ts';
import type { World } from './world.ts';

/** The objects that a Cluster refers to and that do not exist, so that a plan cannot continue. */
export const missingNotes = ({ snapshot }: World): string[] => {
  const { cluster, infrastructureCluster, controlPlane, distribution } = snapshot;
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  if (cluster.metadata.deletionTimestamp) return [];
  const absent = [
    ...(infrastructureRef && !infrastructureCluster ? [infrastructureRef] : []),
    // Nothing is known of an existing external one, not even its distribution.
    ...(controlPlaneRef && !controlPlane && distribution ? [controlPlaneRef] : []),
  ];
  return absent.map((reference) => {
    const why = unserved(reference);
    const { kind, name } = reference;
    return why
      ? `${kind} ${name} does not exist, so nothing is created: ${why}`
      : `${kind} ${name} does not exist yet: its effects are shown when it is applied`;
  });
};
