import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { labelSelectorFields } from '../texts/meta.ts';

export const machineDrainRuleTexts = {
  text: 'Says how pods leave the nodes of machines that are drained. A rule applies to machines of its own namespace.',
  fields: {
    spec: [
      'Which pods on which machines the rule applies to, and what happens to them.',
      {
        drain: [
          'What a drain does with the pods.',
          {
            behavior: 'Drain evicts the pods, Skip leaves them alone, and WaitCompleted waits until they have ended.',
            order:
              'Pods of a lower order leave first; the next order follows when all of them are gone. Defaults to 0; allowed with Drain only.',
          },
        ],
        machines: [
          'Machines that the rule applies to; one entry must match. Unset means all machines of the namespace.',
          {
            selector: ['Labels of the Machine. Unset matches every machine.', labelSelectorFields],
            clusterSelector: ['Labels of the Cluster. Unset matches every cluster.', labelSelectorFields],
          },
        ],
        pods: [
          'Pods that the rule applies to; one entry must match. Unset means all pods.',
          {
            selector: ['Labels of the pod. Unset matches every pod.', labelSelectorFields],
            namespaceSelector: ["Labels of the pod's namespace. Unset matches every namespace.", labelSelectorFields],
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
