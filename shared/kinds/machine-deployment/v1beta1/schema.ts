import * as z from 'zod';
import { flag, int32, int64, intOrString, options, struct, text, time } from '../../schema/fields.ts';
import { labelSelector, templateMeta } from '../../schema/meta.ts';
import { machineSpec, naming, replicaStatus } from '../../v1beta1/schema.ts';

/** Also used for a topology's MachineDeployments. */
export const oldStrategy = () =>
  options({
    type: z.enum(['RollingUpdate', 'OnDelete']),
    rollingUpdate: options({
      maxUnavailable: intOrString,
      maxSurge: intOrString,
      deletePolicy: z.enum(['Random', 'Newest', 'Oldest']),
    }),
    remediation: options({ maxInFlight: intOrString }),
  });

export const oldMachineDeploymentSchema = () => {
  const spec = struct(
    {
      clusterName: text(1, 63),
      selector: labelSelector,
      template: options({ metadata: templateMeta, spec: machineSpec() }),
    },
    {
      replicas: int32(),
      rolloutAfter: time,
      strategy: oldStrategy(),
      machineNamingStrategy: naming(),
      minReadySeconds: int32(),
      revisionHistoryLimit: int32(),
      paused: flag,
      progressDeadlineSeconds: int32(),
    },
  );
  const status = options({
    ...replicaStatus(),
    availableReplicas: int32(),
    unavailableReplicas: int32(),
    updatedReplicas: int32(),
    observedGeneration: int64(),
    phase: z.enum(['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown']),
  });
  return options({ spec, status });
};
