import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int32, int64, keyedList, list, options, someOf, struct, text } from '../schema/fields.ts';
import { deprecatedStatus, failure, failureDomains } from '../schema/machine-parts.ts';
import { conditionGate, conditions, objectRef, statusVersion } from '../schema/meta.ts';
import { topology } from '../schema/topology.ts';

const networkRanges = struct({ cidrBlocks: list(text(1, 43), { min: 1, max: 100 }) }, {});

const endpoint = someOf({ host: text(1, 512), port: int32({ min: 1, max: 65535 }) });

const spec = someOf({
  paused: flag,
  clusterNetwork: someOf({
    apiServerPort: int32({ min: 1, max: 65535 }),
    services: networkRanges,
    pods: networkRanges,
    serviceDomain: text(1, 253),
  }),
  controlPlaneEndpoint: endpoint,
  controlPlaneRef: objectRef,
  infrastructureRef: objectRef,
  topology,
  availabilityGates: keyedList(['conditionType'], conditionGate, { min: 1, max: 32 }),
});

const upgradePlan = list(struct({ version: text(1, 256) }, {}), { min: 1, max: 32 });

const replicaSummary = options({
  desiredReplicas: int32(),
  replicas: int32(),
  upToDateReplicas: int32(),
  readyReplicas: int32(),
  availableReplicas: int32(),
  versions: list(statusVersion, { min: 1, max: 32 }),
  upgradePlan,
});

const status = someOf({
  conditions,
  initialization: someOf({ infrastructureProvisioned: flag, controlPlaneInitialized: flag }),
  controlPlane: replicaSummary,
  workers: replicaSummary,
  failureDomains,
  phase: z.enum(['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown']),
  observedGeneration: int64({ min: 1 }),
  deprecated: deprecatedStatus(failure),
});

export const clusterSchema = struct({ spec }, { status });

export type ClusterSpec = z.input<typeof spec>;
export type Topology = NonNullable<ClusterSpec['topology']>;
export type ClusterStatus = z.input<typeof status>;

export interface Cluster extends KubeObject {
  spec: ClusterSpec;
  status?: ClusterStatus;
}
