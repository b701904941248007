import { ageColumn, countColumn, textColumn } from '../../schema/columns.ts';
import { int32, int64, list, options, struct, text } from '../../schema/fields.ts';
import { labelSelector } from '../../schema/meta.ts';
import { checkFields, checkRules } from '../../v1beta1/health-check.ts';
import { within } from '../../v1beta1/rules.ts';
import { conditionStatus } from '../../v1beta1/schema.ts';
import { conditionRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';

const schema = () =>
  options({
    spec: struct({ clusterName: text(1, 63), selector: labelSelector }, checkFields()),
    status: options({
      ...conditionStatus({}),
      expectedMachines: int32({ min: 0 }),
      currentHealthy: int32({ min: 0 }),
      remediationsAllowed: int32({ min: 0 }),
      observedGeneration: int64(),
      targets: list(text(1, 253), { max: 10000 }),
    }),
  });

export const machineHealthCheckV1beta1 = v1beta1({
  schema,
  rules: [...within('spec', 'spec', checkRules), ...conditionRules],
  legacy: { conditions: { RemediationAllowed: 'RemediationAllowed' } },
  columns: [
    textColumn('Cluster', '.spec.clusterName', 'Cluster'),
    countColumn('ExpectedMachines', '.status.expectedMachines', 'Machines that are checked'),
    textColumn('MaxUnhealthy', '.spec.maxUnhealthy', 'The most unhealthy machines that are still remediated'),
    countColumn('CurrentHealthy', '.status.currentHealthy', 'Machines that are healthy'),
    ageColumn('MachineHealthCheck'),
  ],
});
