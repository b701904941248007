import { ageColumn, textColumn } from '../../schema/columns.ts';
import { nodeReference } from '../../v1beta1/codecs.ts';
import { type Codec, field, within } from '../../v1beta1/rules.ts';
import { conditionRules, failureRules, machineSpecRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { deletionConditions } from './deletion-conditions.ts';
import { oldMachineSchema } from './schema.ts';

/** v1beta1 has no phase for an update in place: the machine is reported as running. */
const phase: Codec = {
  toNew: (value) => value,
  toOld: (value) => (value === 'Updating' ? 'Running' : value),
};

export const machineV1beta1 = v1beta1({
  schema: oldMachineSchema,
  rules: [
    ...within('spec', 'spec', machineSpecRules),
    ...conditionRules,
    ...failureRules,
    field('status.nodeRef', 'status.nodeRef', nodeReference),
    field('status.phase', 'status.phase', phase),
    field('status.bootstrapReady', 'status.initialization.bootstrapDataSecretCreated'),
    field('status.infrastructureReady', 'status.initialization.infrastructureProvisioned'),
  ],
  legacy: {
    more: deletionConditions,
    conditions: {
      Ready: 'Ready',
      BootstrapReady: 'BootstrapConfigReady',
      InfrastructureReady: 'InfrastructureReady',
      NodeHealthy: 'NodeHealthy',
      HealthCheckSucceeded: 'HealthCheckSucceeded',
      OwnerRemediated: 'OwnerRemediated',
    },
  },
  columns: [
    textColumn('Cluster', '.spec.clusterName', 'Cluster'),
    textColumn('NodeName', '.status.nodeRef.name', 'Node of the Machine'),
    textColumn('ProviderID', '.spec.providerID', 'Instance of the Machine'),
    textColumn('Phase', '.status.phase', 'Phase of the Machine, such as Running'),
    ageColumn('Machine'),
    textColumn('Version', '.spec.version', 'Kubernetes version of the Machine'),
  ],
});
