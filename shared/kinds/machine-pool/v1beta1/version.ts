import { ageColumn, countColumn, textColumn, wide } from '../../schema/columns.ts';
import { flag, int32, int64, list, options, struct, text } from '../../schema/fields.ts';
import { templateMeta } from '../../schema/meta.ts';
import { field, within } from '../../v1beta1/rules.ts';
import { failures, machineSpec, reference, replicaStatus } from '../../v1beta1/schema.ts';
import { conditionRules, counterRules, failureRules, machineSpecRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { machinePoolSchema } from '../schema.ts';

const schema = () => {
  const { selector: _, ...counters } = replicaStatus();
  const spec = struct(
    { clusterName: text(1, 63), template: options({ metadata: templateMeta, spec: machineSpec() }) },
    {
      replicas: int32(),
      minReadySeconds: int32(),
      providerIDList: list(text(1, 512), { max: 10000 }),
      failureDomains: list(text(1, 256), { max: 100 }),
    },
  );
  const status = options({
    ...counters,
    ...failures(),
    nodeRefs: list(reference(), { max: 10000 }),
    availableReplicas: int32(),
    unavailableReplicas: int32(),
    phase: machinePoolSchema.shape.status.unwrap().shape.phase,
    bootstrapReady: flag,
    infrastructureReady: flag,
    observedGeneration: int64(),
  });
  return options({ spec, status });
};

export const machinePoolV1beta1 = v1beta1({
  schema,
  rules: [
    ...within('spec.template.spec', 'spec.template.spec', machineSpecRules),
    field('spec.minReadySeconds', 'spec.template.spec.minReadySeconds'),
    ...conditionRules,
    ...failureRules,
    ...counterRules('readyReplicas', 'availableReplicas', 'unavailableReplicas'),
    field('status.bootstrapReady', 'status.initialization.bootstrapDataSecretCreated'),
    field('status.infrastructureReady', 'status.initialization.infrastructureProvisioned'),
  ],
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  columns: [
    textColumn('Cluster', '.spec.clusterName', 'Cluster'),
    wide(countColumn('Desired', '.spec.replicas', 'Machines wanted')),
    textColumn('Replicas', '.status.replicas', 'Machines that exist'),
    textColumn('Phase', '.status.phase', 'Phase of the MachinePool, such as Running'),
    ageColumn('MachinePool'),
    textColumn('Version', '.spec.template.spec.version', 'Kubernetes version of the machines'),
  ],
});
