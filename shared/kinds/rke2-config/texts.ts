import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText } from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';
import { rke2ConfigSpecFields } from '../texts/rke2-config-spec.ts';

export const rke2ConfigTexts = {
  text: 'Bootstrap configuration of one machine that joins its cluster with RKE2.',
  fields: {
    spec: [
      'What the machine runs at its first boot. Controllers copy it from a control plane or a template.',
      rke2ConfigSpecFields,
    ],
    status: [
      'Observed state of the bootstrap data. Written by the controllers.',
      {
        conditions: conditionsText,
        initialization: [
          'Milestones of the first boot.',
          { dataSecretCreated: 'True once the Secret with the bootstrap data exists.' },
        ],
        dataSecretName: 'Name of the Secret that holds the bootstrap data.',
        observedGeneration: observedGenerationText,
      },
    ],
  },
} satisfies KindTexts;
