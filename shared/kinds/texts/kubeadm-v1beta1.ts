import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { apiServerText, clusterConfigurationText } from './kubeadm-cluster.ts';
import { bootstrapTokensText, discoveryText, initConfigurationText, joinConfigurationText } from './kubeadm-node.ts';

/** Texts of fields that a KubeadmConfigSpec has only in v1beta1. */

const typeFields = {
  apiVersion: 'Stored and not acted on: the API version of kubeadm follows from the Kubernetes version.',
  kind: 'Stored and not acted on: the kind follows from the place.',
} satisfies FieldTexts;

export const oldKubeadmConfigSpecFields = {
  clusterConfiguration: [
    clusterConfigurationText,
    {
      ...typeFields,
      networking: [
        'Stored and not acted on: the networks come from spec.clusterNetwork of the Cluster.',
        {
          serviceSubnet: 'Stored and not acted on: see spec.clusterNetwork.services of the Cluster.',
          podSubnet: 'Stored and not acted on: see spec.clusterNetwork.pods of the Cluster.',
          dnsDomain: 'Stored and not acted on: see spec.clusterNetwork.serviceDomain of the Cluster.',
        },
      ],
      kubernetesVersion: 'Stored and not acted on: the version is that of the Machine.',
      clusterName: 'Stored and not acted on: the name is that of the Cluster.',
      apiServer: [
        apiServerText,
        {
          timeoutForControlPlane:
            'How long kubeadm waits until the control plane components are healthy, such as 4m0s. Defaults to 10m0s.',
        },
      ],
    },
  ],
  initConfiguration: [
    initConfigurationText,
    {
      ...typeFields,
      bootstrapTokens: [
        bootstrapTokensText,
        {
          ttl: 'How long the token is valid, such as 24h0m0s. Defaults to 24h0m0s; 0s means that it never expires.',
          expires: 'When the token expires, in RFC 3339 form. Cannot be combined with ttl.',
        },
      ],
    },
  ],
  joinConfiguration: [
    joinConfigurationText,
    {
      ...typeFields,
      discovery: [
        discoveryText,
        {
          timeout:
            'How long a joining machine waits for its client certificate, and before Kubernetes 1.31 for discovery as well. Defaults to 10m0s, and to 15m0s before Kubernetes 1.31.',
        },
      ],
    },
  ],
  useExperimentalRetryJoin:
    'Stored and not acted on: a failed kubeadm join is always repeated, for half an hour at most.',
} satisfies FieldTexts;
