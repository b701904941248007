import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const namespaceTexts = {
  text: 'A scope for names, permissions and quotas. A namespace that holds a Cluster cannot be deleted.',
  fields: {
    spec: [
      'What keeps the namespace from being removed.',
      { finalizers: 'Names of those that empty the namespace before it is removed. Always contains kubernetes.' },
    ],
    status: [
      'State of the namespace. Written by the server.',
      {
        phase: 'Active, or Terminating while the namespace is emptied.',
        conditions: [
          'What delays a deletion, with one entry for each type.',
          {
            type: 'Aspect that the condition is about. Unique within the list.',
            status: 'Whether the condition holds: True, False or Unknown.',
            lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
            reason: 'CamelCase code for the cause, meant for programs.',
            message: 'The cause in words.',
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
