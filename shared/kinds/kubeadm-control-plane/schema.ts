import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int32, int64, intOrString, options, someOf, struct, text, time } from '../schema/fields.ts';
import { kubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import {
  deprecatedStatus,
  failure,
  machineDeletion,
  machineNaming,
  machineTaints,
  replicaStatus,
} from '../schema/machine-parts.ts';
import { objectRef, readinessGates, someTemplateMeta } from '../schema/meta.ts';

const machineTemplate = struct(
  {
    spec: struct(
      { infrastructureRef: objectRef },
      { readinessGates, deletion: machineDeletion, taints: machineTaints },
    ),
  },
  { metadata: someTemplateMeta },
);

/** Defaulting completes it, so that any part may be left out or empty. */
const strategy = options({
  type: z.enum(['RollingUpdate']).default('RollingUpdate'),
  rollingUpdate: options({ maxSurge: intOrString }),
});

/** When all machines are replaced although nothing has changed. */
export const rolloutTimes = { before: someOf({ certificatesExpiryDays: int32({ min: 7 }) }), after: time };

export const controlPlaneRemediation = someOf({
  maxRetry: int32(),
  retryPeriodSeconds: int32({ min: 0 }),
  minHealthyPeriodSeconds: int32({ min: 0 }),
});

const spec = struct(
  { version: text(1, 256), machineTemplate },
  {
    replicas: int32(),
    kubeadmConfigSpec,
    rollout: options({ ...rolloutTimes, strategy }),
    remediation: controlPlaneRemediation,
    machineNaming,
  },
);

const status = someOf({
  ...replicaStatus,
  initialization: someOf({ controlPlaneInitialized: flag }),
  version: text(1, 256),
  observedGeneration: int64({ min: 1 }),
  lastRemediation: struct({ machine: text(1, 253), time, retryCount: int32({ min: 0 }) }, {}),
  deprecated: deprecatedStatus({
    ...failure,
    updatedReplicas: int32(),
    readyReplicas: int32(),
    unavailableReplicas: int32(),
  }),
});

export const kubeadmControlPlaneSchema = struct({ spec }, { status });

export type KubeadmControlPlaneSpec = z.input<typeof spec>;
export type KubeadmControlPlaneStatus = z.input<typeof status>;

/** Defaulting sets `spec.replicas` and `spec.rollout.strategy` if the user did not. */
export interface KubeadmControlPlane extends KubeObject {
  spec: KubeadmControlPlaneSpec;
  status?: KubeadmControlPlaneStatus;
}
