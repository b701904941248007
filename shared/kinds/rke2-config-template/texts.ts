import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { rke2ConfigSpecFields } from '../texts/rke2-config-spec.ts';

export const rke2ConfigTemplateTexts = {
  text: 'Template of the bootstrap configuration of machines that join with RKE2, for a MachineDeployment or MachineSet.',
  fields: {
    spec: [
      'The template. A change applies to new machines only; to replace existing machines, refer to a template with another name.',
      {
        template: [
          'Spec of the RKE2Configs.',
          { spec: ['What each machine runs at its first boot.', rke2ConfigSpecFields] },
        ],
      },
    ],
  },
} satisfies KindTexts;
