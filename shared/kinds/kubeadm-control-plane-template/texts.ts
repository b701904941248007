import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import {
  kubeadmControlPlaneSpecFields,
  machineTemplateText,
  oldControlPlaneSpecFields,
  oldMachineTemplateFields,
} from '../texts/kubeadm-control-plane.ts';
import { templateMetaFields } from '../texts/meta.ts';

const specText = 'The template.';
const templateText = 'Metadata and spec of the KubeadmControlPlanes.';
const resourceText =
  'Spec of the KubeadmControlPlanes, immutable. Version and replicas come from the topology of the Cluster, the infrastructure of the machines from the ClusterClass.';

export const kubeadmControlPlaneTemplateTexts = {
  text: 'Template of a kubeadm control plane, for a ClusterClass.',
  fields: {
    spec: [
      specText,
      {
        template: [
          templateText,
          {
            metadata: ['Labels and annotations for the KubeadmControlPlanes.', templateMetaFields],
            spec: [resourceText, kubeadmControlPlaneSpecFields],
          },
        ],
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [
        specText,
        {
          template: [
            templateText,
            {
              spec: [
                resourceText,
                { ...oldControlPlaneSpecFields, machineTemplate: [machineTemplateText, oldMachineTemplateFields] },
              ],
            },
          ],
        },
      ],
    },
  },
} satisfies KindTexts;
