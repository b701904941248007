import { defaultRke2Config } from '../rules/bootstrap/rke2.ts';
import type { RKE2ControlPlane } from './schema.ts';

/** How long the deletion of a machine waits for its node, unless the user sets it. */
const DELETION = { nodeDrainTimeoutSeconds: 120, nodeVolumeDetachTimeoutSeconds: 300, nodeDeletionTimeoutSeconds: 10 };

/** One replica, the timeouts of deletions, and the defaults of the bootstrap configuration. */
export const defaultRke2ControlPlane = (controlPlane: RKE2ControlPlane): RKE2ControlPlane => {
  const spec = defaultRke2Config(controlPlane.spec);
  // Absent if the object will be refused.
  const template = spec.machineTemplate as RKE2ControlPlane['spec']['machineTemplate'] | undefined;
  const machines = template && {
    machineTemplate: { ...template, spec: { ...template.spec, deletion: { ...DELETION, ...template.spec.deletion } } },
  };
  return { ...controlPlane, spec: { ...spec, replicas: spec.replicas ?? 1, ...machines } };
};
