import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { UPGRADE_STEP } from '../objects.ts';

/**
 * The version that a topology has not yet set on its control plane; undefined without a topology, and while the control
 * plane has the version of the upgrade's current step.
 */
export const pendingVersion = ({ metadata, spec }: Cluster, controlPlane: string | undefined): string | undefined => {
  const wanted = spec.topology?.version;
  const step = metadata.annotations?.[UPGRADE_STEP] || undefined;
  return !wanted || controlPlane === wanted || controlPlane === step ? undefined : (step ?? wanted);
};
