import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { int32, int64, someOf, struct } from '../schema/fields.ts';
import { deprecatedStatus, failure, machineOwner, replicaStatus, type WithSelector } from '../schema/machine-parts.ts';

const spec = struct(machineOwner.required, machineOwner.optional);

const status = someOf({
  ...replicaStatus,
  observedGeneration: int64({ min: 1 }),
  deprecated: deprecatedStatus({
    ...failure,
    fullyLabeledReplicas: int32(),
    readyReplicas: int32(),
    availableReplicas: int32(),
  }),
});

export const machineSetSchema = struct({ spec }, { status });

export type MachineSetSpec = WithSelector<z.input<typeof spec>>;
export type MachineSetStatus = z.input<typeof status>;

/** Defaulting sets `spec.replicas` and, if the selector is empty, the label that selector and template share. */
export interface MachineSet extends KubeObject {
  spec: MachineSetSpec;
  status?: MachineSetStatus;
}
