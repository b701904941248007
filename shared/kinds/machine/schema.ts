import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int64, options, someOf, struct, text, time } from '../schema/fields.ts';
import { deprecatedStatus, failure, machineSpec } from '../schema/machine-parts.ts';
import { conditions, machineAddresses } from '../schema/meta.ts';
import { SUBDOMAIN } from '../schema/names.ts';

const anyString = z.string();

/** core/v1 NodeSystemInfo, copied from the node. */
const nodeInfo = struct(
  {
    machineID: anyString,
    systemUUID: anyString,
    bootID: anyString,
    kernelVersion: anyString,
    osImage: anyString,
    containerRuntimeVersion: anyString,
    kubeletVersion: anyString,
    kubeProxyVersion: anyString,
    operatingSystem: anyString,
    architecture: anyString,
  },
  { swap: options({ capacity: int64() }) },
);

const status = someOf({
  conditions,
  initialization: someOf({ infrastructureProvisioned: flag, bootstrapDataSecretCreated: flag }),
  nodeRef: struct({ name: text(1, 253, SUBDOMAIN) }, {}),
  nodeInfo,
  lastUpdated: time,
  addresses: machineAddresses.max(256).meta({ 'x-kubernetes-list-type': 'atomic' }),
  failureDomain: text(1, 256),
  phase: z.enum([
    'Pending',
    'Provisioning',
    'Provisioned',
    'Running',
    'Updating',
    'Deleting',
    'Deleted',
    'Failed',
    'Unknown',
  ]),
  certificatesExpiryDate: time,
  observedGeneration: int64({ min: 1 }),
  deletion: options({
    nodeDrainStartTime: time,
    waitForNodeVolumeDetachStartTime: time,
    waitForPreDrainHookStartTime: time,
    waitForPreTerminateHookStartTime: time,
  }),
  deprecated: deprecatedStatus(failure),
});

export const machineSchema = struct({ spec: machineSpec }, { status });

export type MachineStatus = z.input<typeof status>;

/** Defaulting sets the label `cluster.x-k8s.io/cluster-name` and `spec.deletion.nodeDeletionTimeoutSeconds`. */
export interface Machine extends KubeObject {
  spec: z.input<typeof machineSpec>;
  status?: MachineStatus;
}
