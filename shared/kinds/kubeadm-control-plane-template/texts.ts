import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import {
  kubeadmControlPlaneSpecFields,
  machineTemplateText,
  oldControlPlaneSpecFields,
  oldMachineTemplateFields,
} from '../texts/kubeadm-control-plane.ts';
import { templateMetaFields } from '../texts/meta-f.ts';

const specText = 'The template.';
const templateText = 'Metadata and spec of the KubeadmControlPlanes.';
const resourceText =
  'Spec of the KubeadmControlPlanes. Immutable; version, replicas and the machines come from the topology of the Cluster and its ClusterClass.';

export const kubeadmControlPlaneTemplateTexts = {
  text: 'A control plane by kubeadm, for clusters of a ClusterClass. Stored and not acted on: Windlass makes no clusters from classes.',
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
