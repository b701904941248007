import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { awsClusterSpecFields } from '../texts/aws-cluster-spec.ts';
import { templateMetaFields } from '../texts/meta.ts';

export const awsClusterTemplateTexts = {
  text: 'The AWSCluster that a ClusterClass gives its clusters.',
  fields: {
    spec: [
      'The template. Immutable: to change clusters, create a template with another name.',
      {
        template: [
          'Metadata and spec of the AWSClusters.',
          {
            metadata: ['Labels and annotations for the AWSClusters.', templateMetaFields],
            spec: ['Spec of the AWSClusters, with its defaults filled in.', awsClusterSpecFields],
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
