import { ageColumn, countColumn, textColumn, wide } from '../../schema/columns.ts';
import { machineScale } from '../../schema/definition-parts.ts';
import { strategyType } from '../../v1beta1/codecs.ts';
import { field, type Rule, within } from '../../v1beta1/rules.ts';
import { conditionRules, counterRules, machineSpecRules, namingRule } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { oldMachineDeploymentSchema } from './schema.ts';

/** Also used for a topology's MachineDeployments. */
export const strategyRules: readonly Rule[] = [
  field('strategy.type', 'rollout.strategy.type', strategyType),
  field('strategy.rollingUpdate.maxUnavailable', 'rollout.strategy.rollingUpdate.maxUnavailable'),
  field('strategy.rollingUpdate.maxSurge', 'rollout.strategy.rollingUpdate.maxSurge'),
  field('strategy.rollingUpdate.deletePolicy', 'deletion.order'),
];

export const machineDeploymentV1beta1 = v1beta1({
  schema: oldMachineDeploymentSchema,
  rules: [
    ...within('spec.template.spec', 'spec.template.spec', machineSpecRules),
    ...within('spec', 'spec', strategyRules),
    field('spec.strategy.remediation.maxInFlight', 'spec.remediation.maxInFlight'),
    field('spec.minReadySeconds', 'spec.template.spec.minReadySeconds'),
    field('spec.rolloutAfter', 'spec.rollout.after'),
    namingRule,
    ...conditionRules,
    ...counterRules('readyReplicas', 'availableReplicas', 'updatedReplicas', 'unavailableReplicas'),
  ],
  scale: machineScale,
  legacy: {
    conditions: { Ready: 'Available', Available: 'Available' },
    counters: ['readyReplicas', 'availableReplicas', 'updatedReplicas', 'unavailableReplicas'],
  },
  columns: [
    textColumn('Cluster', '.spec.clusterName', 'Cluster'),
    wide(countColumn('Desired', '.spec.replicas', 'Machines wanted')),
    countColumn('Replicas', '.status.replicas', 'Machines that exist'),
    countColumn('Ready', '.status.readyReplicas', 'Machines that are ready'),
    countColumn('Updated', '.status.updatedReplicas', 'Machines that are up to date'),
    countColumn('Unavailable', '.status.unavailableReplicas', 'Machines that are not available'),
    textColumn('Phase', '.status.phase', 'Phase of the MachineDeployment, such as ScalingUp'),
    ageColumn('MachineDeployment'),
    textColumn('Version', '.spec.template.spec.version', 'Kubernetes version of the machines'),
  ],
});
