import * as z from 'zod';
import { oldKubeadmConfigSpec } from '../../kubeadm-config/v1beta1/schema.ts';
import { flag, int32, int64, intOrString, options, struct, text, time } from '../../schema/fields.ts';
import { machineTaints } from '../../schema/machine-parts.ts';
import { templateMeta } from '../../schema/meta.ts';
import {
  deletionTimeouts,
  duration,
  failures,
  naming,
  readinessGates,
  reference,
  replicaStatus,
} from '../../v1beta1/schema.ts';

/** Fields that control planes and their templates have in common. */
export const oldControlPlaneFields = () => ({
  rolloutBefore: options({ certificatesExpiryDays: int32() }),
  rolloutAfter: time,
  rolloutStrategy: options({
    type: z.enum(['RollingUpdate']),
    rollingUpdate: options({ maxSurge: intOrString }),
  }).default({
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: 1 },
  }),
  remediationStrategy: options({ maxRetry: int32(), retryPeriod: duration(), minHealthyPeriod: duration() }),
  machineNamingStrategy: naming(),
});

export const oldKubeadmControlPlaneSchema = () => {
  const machineTemplate = struct(
    { infrastructureRef: reference() },
    { metadata: templateMeta, readinessGates: readinessGates(), taints: machineTaints, ...deletionTimeouts() },
  );
  const spec = struct(
    { version: text(1, 256), machineTemplate, kubeadmConfigSpec: oldKubeadmConfigSpec() },
    { replicas: int32(), ...oldControlPlaneFields() },
  );
  const status = options({
    ...replicaStatus(),
    ...failures(),
    version: text(1, 256),
    updatedReplicas: int32(),
    unavailableReplicas: int32(),
    initialized: flag,
    ready: flag,
    observedGeneration: int64(),
    lastRemediation: struct({ machine: text(1, 253), timestamp: time, retryCount: int32() }, {}),
  });
  return options({ spec, status });
};
