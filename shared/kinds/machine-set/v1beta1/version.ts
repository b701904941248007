import { ageColumn, countColumn, textColumn, wide } from '../../schema/columns.ts';
import { machineScale } from '../../schema/definition-parts.ts';
import { field, within } from '../../v1beta1/rules.ts';
import {
  conditionRules,
  counterRules,
  failureRules,
  machineSpecRules,
  namingRule,
} from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { oldMachineSetSchema } from './schema.ts';

export const machineSetV1beta1 = v1beta1({
  schema: oldMachineSetSchema,
  rules: [
    ...within('spec.template.spec', 'spec.template.spec', machineSpecRules),
    field('spec.minReadySeconds', 'spec.template.spec.minReadySeconds'),
    field('spec.deletePolicy', 'spec.deletion.order'),
    namingRule,
    ...conditionRules,
    ...failureRules,
    ...counterRules('readyReplicas', 'availableReplicas', 'fullyLabeledReplicas'),
  ],
  scale: machineScale,
  legacy: {
    conditions: { Ready: 'MachinesReady', MachinesReady: 'MachinesReady' },
    counters: ['readyReplicas', 'availableReplicas', 'fullyLabeledReplicas'],
  },
  columns: [
    textColumn('Cluster', '.spec.clusterName', 'Cluster'),
    wide(countColumn('Desired', '.spec.replicas', 'Machines wanted')),
    countColumn('Replicas', '.status.replicas', 'Machines that exist'),
    countColumn('Ready', '.status.readyReplicas', 'Machines that are ready'),
    countColumn('Available', '.status.availableReplicas', 'Machines that are available'),
    ageColumn('MachineSet'),
    textColumn('Version', '.spec.template.spec.version', 'Kubernetes version of the machines'),
  ],
});
