import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { healthCheckFields, legacyHealthCheckFields } from '../texts/health-check.ts';
import { conditionsText, deprecatedStatusText, labelSelectorFields, v1beta1StatusFields } from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';

const SPEC = 'Which machines are checked, and what makes them unhealthy.';
const STATUS = 'What the controllers observe. Written by the controllers.';

export const machineHealthCheckTexts = {
  text: 'Watches machines of a cluster and marks those that are unhealthy, so that their owner replaces them.',
  fields: {
    spec: [
      SPEC,
      {
        clusterName: 'Name of the Cluster in the same namespace. Cannot be changed.',
        selector: ['Machines of the cluster to check, by their labels. Must not be empty.', labelSelectorFields],
        ...healthCheckFields,
      },
    ],
    status: [
      STATUS,
      {
        conditions: conditionsText,
        expectedMachines: 'Number of machines that the selector matches.',
        currentHealthy: 'Number of these machines that are healthy.',
        remediationsAllowed: 'Number of further machines that may become unhealthy before remediation stops.',
        observedGeneration: observedGenerationText,
        targets: 'Names of the machines that the selector matches.',
        deprecated: deprecatedStatusText(),
      },
    ],
  },
  versions: {
    v1beta1: { spec: [SPEC, legacyHealthCheckFields], status: [STATUS, v1beta1StatusFields] },
  },
} satisfies KindTexts;
