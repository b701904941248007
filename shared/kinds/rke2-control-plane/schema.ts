import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, flag, int32, int64, list, options, someOf, struct, text, time } from '../schema/fields.ts';
import { machineDeletion } from '../schema/machine-parts.ts';
import { conditions, objectRef, someTemplateMeta } from '../schema/meta.ts';
import { rke2ControlPlaneFields, rke2RolloutStrategy } from '../schema/rke2-server-config.ts';

export const rke2MachineTemplate = struct(
  { spec: struct({ infrastructureRef: objectRef }, { deletion: machineDeletion }) },
  { metadata: someTemplateMeta },
);

const spec = struct(
  { version: text(0, 256, '(v\\d\\.\\d{2}\\.\\d+\\+rke2r\\d)|^$'), rolloutStrategy: rke2RolloutStrategy },
  { ...rke2ControlPlaneFields, replicas: int32(), machineTemplate: rke2MachineTemplate },
);

const status = options({
  conditions,
  initialization: someOf({ controlPlaneInitialized: flag }),
  observedGeneration: int64(),
  replicas: int32(),
  version: anyText,
  readyReplicas: int32(),
  availableReplicas: int32(),
  upToDateReplicas: int32(),
  availableServerIPs: list(anyText),
  lastRemediation: struct({ machine: text(1, 253), timestamp: time, retryCount: int64() }, {}),
});

export const rke2ControlPlaneSchema = options({ spec, status });

export type Rke2ControlPlaneSpec = z.input<typeof spec>;
type MachineTemplate = z.input<typeof rke2MachineTemplate>;

/** Admission refuses one without a machine template, although the schema, like upstream's, does not require it. */
export interface RKE2ControlPlane extends KubeObject {
  spec: Rke2ControlPlaneSpec & { machineTemplate: MachineTemplate };
  status?: z.input<typeof status>;
}
