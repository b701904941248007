import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const resourceQuotaTexts = {
  text: 'Limits how many objects of a kind a namespace may hold.',
  fields: {
    spec: [
      'The limits.',
      {
        hard: 'Largest number of objects by resource, such as count/clusters.cluster.x-k8s.io or secrets. Names of pods, storage and services are accepted with a warning and limit nothing.',
        scopes: 'Restricts the quota to certain pods. Refused: there are no pods here.',
        scopeSelector: [
          'Restricts the quota to certain pods. Refused: there are no pods here.',
          {
            matchExpressions: [
              'Requirements on the scope of pods.',
              {
                scopeName: 'Name of the scope.',
                operator: 'How the scope is compared: In, NotIn, Exists or DoesNotExist.',
                values: 'Values to compare with. Required for In and NotIn.',
              },
            ],
          },
        ],
      },
    ],
    status: [
      'Limits and use, counted when the quota is read.',
      { hard: 'The limits in force, by resource.', used: 'Number of objects that exist, by resource.' },
    ],
  },
} satisfies KindTexts;
