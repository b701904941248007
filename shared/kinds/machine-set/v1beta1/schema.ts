import * as z from 'zod';
import { int32, int64, options, struct, text } from '../../schema/fields.ts';
import { labelSelector, templateMeta } from '../../schema/meta.ts';
import { failures, machineSpec, naming, replicaStatus } from '../../v1beta1/schema.ts';

export const oldMachineSetSchema = () => {
  const spec = struct(
    { clusterName: text(1, 63), selector: labelSelector },
    {
      replicas: int32(),
      minReadySeconds: int32(),
      deletePolicy: z.enum(['Random', 'Newest', 'Oldest']),
      template: options({ metadata: templateMeta, spec: machineSpec() }),
      machineNamingStrategy: naming(),
    },
  );
  const status = options({
    ...replicaStatus(),
    ...failures(),
    availableReplicas: int32(),
    fullyLabeledReplicas: int32(),
    observedGeneration: int64(),
  });
  return options({ spec, status });
};
