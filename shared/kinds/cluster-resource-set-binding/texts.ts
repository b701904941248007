import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const clusterResourceSetBindingTexts = {
  text: 'Record of what ClusterResourceSets have applied to the cluster of the same name. Written by the controllers.',
  fields: {
    spec: [
      'What has been applied.',
      {
        clusterName: 'Name of the Cluster in the same namespace.',
        bindings: [
          'ClusterResourceSets that apply to the cluster. At most 100.',
          {
            clusterResourceSetName: 'Name of the ClusterResourceSet.',
            resources: [
              'ConfigMaps and Secrets of the set. At most 100.',
              {
                name: 'Name of the ConfigMap or Secret.',
                kind: 'ConfigMap or Secret.',
                applied: 'Whether everything in it has been applied.',
                hash: 'Hash of the content that was applied last. A different hash means that it has changed since.',
                lastAppliedTime: 'When the content was last applied, in RFC 3339 form.',
              },
            ],
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
