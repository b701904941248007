import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { rke2ConfigSpecFields } from '../texts/rke2-config-spec.ts';

export const rke2ConfigTemplateTexts = {
  text: 'The bootstrap configuration of the machines of a MachineDeployment or MachineSet that become nodes by RKE2.',
  fields: {
    spec: [
      'The template. A change reaches new machines only; to replace those that exist, refer to a template of another name.',
      {
        template: [
          'Spec of the RKE2Configs.',
          { spec: ['What each machine runs at its first boot.', rke2ConfigSpecFields] },
        ],
      },
    ],
  },
} satisfies KindTexts;
