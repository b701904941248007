import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { kubeadmConfigSpecFields } from '../texts/kubeadm-config-spec.ts';
import { oldKubeadmConfigSpecFields } from '../texts/kubeadm-v1beta1.ts';
import { inheritedMetaText } from '../texts/meta-f.ts';

const specText =
  'The template. A change reaches new machines only; to replace those that exist, refer to a template of another name.';
const templateText = 'Metadata and spec of the KubeadmConfigs.';
const configText = 'What each machine runs at its first boot.';

export const kubeadmConfigTemplateTexts = {
  text: 'The bootstrap configuration of the machines of a MachineDeployment or MachineSet that become nodes by kubeadm.',
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
