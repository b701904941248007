import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int32, int64, list, options, someOf, struct, text } from '../schema/fields.ts';
import { deprecatedStatus, failure, machineTemplate, replicaStatus } from '../schema/machine-parts.ts';

const spec = struct(
  { clusterName: text(1, 63), template: machineTemplate },
  {
    replicas: int32(),
    providerIDList: list(text(1, 512), { max: 10000 }),
    failureDomains: list(text(1, 256), { max: 100 }),
  },
);

const anyString = z.string();

/** core/v1 ObjectReference. */
const nodeRef = options({
  kind: anyString,
  namespace: anyString,
  name: anyString,
  uid: anyString,
  apiVersion: anyString,
  resourceVersion: anyString,
  fieldPath: anyString,
}).meta({ 'x-kubernetes-map-type': 'atomic' });

const { selector: _, ...counters } = replicaStatus;

const status = someOf({
  ...counters,
  initialization: someOf({ infrastructureProvisioned: flag, bootstrapDataSecretCreated: flag }),
  nodeRefs: list(nodeRef, { max: 10000 }),
  phase: z.enum([
    'Pending',
    'Provisioning',
    'Provisioned',
    'Running',
    'ScalingUp',
    'ScalingDown',
    'Scaling',
    'Deleting',
    'Failed',
    'Unknown',
  ]),
  observedGeneration: int64({ min: 1 }),
  deprecated: deprecatedStatus({
    ...failure,
    readyReplicas: int32(),
    availableReplicas: int32(),
    unavailableReplicas: int32(),
  }),
});

export const machinePoolSchema = struct({ spec }, { status });

export type MachinePoolSpec = z.input<typeof spec>;

/** Machines that the infrastructure manages as one group. Defaulting sets `spec.replicas` and the cluster's label. */
export interface MachinePool extends KubeObject {
  spec: MachinePoolSpec;
  status?: z.input<typeof status>;
}
