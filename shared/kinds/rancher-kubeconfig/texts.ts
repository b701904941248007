import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const rancherKubeconfigTexts = {
  text: 'Where the kubeconfig of a workload cluster is. It has the name of its Cluster, and is written by the controllers.',
  fields: {
    spec: [
      'The place of the kubeconfig.',
      {
        secretRef: [
          'Secret with the kubeconfig of an administrator.',
          {
            namespace: 'Namespace of the Secret.',
            name: 'Name of the Secret.',
            key: 'Key in the data of the Secret. Always value.',
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
