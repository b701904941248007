import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int32, int64, intOrString, someOf, struct } from '../schema/fields.ts';
import { deprecatedStatus, machineOwner, replicaStatus, rollout, type WithSelector } from '../schema/machine-parts.ts';

const spec = struct(machineOwner.required, {
  ...machineOwner.optional,
  rollout,
  remediation: someOf({ maxInFlight: intOrString }),
  paused: flag,
});

const status = someOf({
  ...replicaStatus,
  observedGeneration: int64({ min: 1 }),
  phase: z.enum(['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown']),
  deprecated: deprecatedStatus({
    updatedReplicas: int32(),
    readyReplicas: int32(),
    availableReplicas: int32(),
    unavailableReplicas: int32(),
  }),
});

export const machineDeploymentSchema = struct({ spec }, { status });

export type MachineDeploymentSpec = WithSelector<z.input<typeof spec>>;
export type MachineDeploymentStatus = z.input<typeof status>;

/** Defaulting sets `spec.replicas`, `spec.rollout.strategy`, and the labels that selector and template need. */
export interface MachineDeployment extends KubeObject {
  spec: MachineDeploymentSpec;
  status?: MachineDeploymentStatus;
}
