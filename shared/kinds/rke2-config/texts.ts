import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText, observedGenerationText } from '../texts/meta-f.ts';
import { rke2ConfigSpecFields } from '../texts/rke2-config-spec.ts';

export const rke2ConfigTexts = {
  text: 'The bootstrap configuration of one machine that becomes a node by RKE2.',
  fields: {
    spec: [
      'What the machine runs at its first boot. Controllers make it from a control plane or a template.',
      rke2ConfigSpecFields,
    ],
    status: [
      'How far the bootstrap data is. Written by the controllers.',
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
