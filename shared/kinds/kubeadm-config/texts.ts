import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { kubeadmConfigSpecFields } from '../texts/kubeadm-config-spec.ts';
import { oldKubeadmConfigSpecFields } from '../texts/kubeadm-v1beta1.ts';
import {
  conditionsText,
  deprecatedText,
  failureFields,
  legacyConditionsText,
  newConditionsText,
} from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';

const specText = 'What the machine runs at its first boot. Controllers copy it from a control plane or a template.';
const statusText = 'Observed state of the bootstrap data. Written by the controllers.';

export const kubeadmConfigTexts = {
  text: 'Bootstrap configuration of one machine that joins its cluster with kubeadm.',
  fields: {
    spec: [specText, kubeadmConfigSpecFields],
    status: [
      statusText,
      {
        conditions: conditionsText,
        initialization: [
          'Milestones of the first boot.',
          { dataSecretCreated: 'True once the Secret with the bootstrap data exists.' },
        ],
        dataSecretName: 'Name of the Secret that holds the bootstrap data.',
        observedGeneration: observedGenerationText,
        deprecated: [
          deprecatedText,
          { v1beta1: [deprecatedText, { conditions: legacyConditionsText, ...failureFields }] },
        ],
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [specText, oldKubeadmConfigSpecFields],
      status: [
        statusText,
        {
          conditions: legacyConditionsText,
          v1beta2: newConditionsText,
          ready: 'True once the Secret with the bootstrap data exists.',
          ...failureFields,
        },
      ],
    },
  },
} satisfies KindTexts;
