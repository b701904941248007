import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { kubeadmConfigSpecFields } from '../texts/kubeadm-config-spec.ts';
import { oldKubeadmConfigSpecFields } from '../texts/kubeadm-v1beta1.ts';
import { inheritedMetaText } from '../texts/meta.ts';

const specText =
  'The template. A change applies to new machines only; to replace existing machines, refer to a template with another name.';
const templateText = 'Metadata and spec of the KubeadmConfigs.';
const configText = 'What each machine runs at its first boot.';

export const kubeadmConfigTemplateTexts = {
  text: 'Template of the bootstrap configuration of machines that join with kubeadm, for a MachineDeployment or MachineSet.',
  fields: {
    spec: [
      specText,
      {
        template: [
          templateText,
          {
            metadata: inheritedMetaText,
            spec: [configText, kubeadmConfigSpecFields],
          },
        ],
      },
    ],
  },
  versions: {
    v1beta1: { spec: [specText, { template: [templateText, { spec: [configText, oldKubeadmConfigSpecFields] }] }] },
  },
} satisfies KindTexts;
