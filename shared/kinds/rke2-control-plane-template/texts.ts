import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { templateMetaFields } from '../texts/meta.ts';
import { rke2ControlPlaneSpecFields } from '../texts/rke2-control-plane.ts';

export const rke2ControlPlaneTemplateTexts = {
  text: 'Template of an RKE2 control plane, for a ClusterClass.',
  fields: {
    spec: [
      'The template.',
      {
        template: [
          'Metadata and spec of the RKE2ControlPlanes.',
          {
            metadata: ['Labels and annotations for the RKE2ControlPlanes.', templateMetaFields],
            spec: [
              'Spec of the RKE2ControlPlanes. Version and replicas come from the topology of the Cluster.',
              rke2ControlPlaneSpecFields,
            ],
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
