import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { counterFields, initializedText } from '../texts/control-plane.ts';
import { conditionsText } from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';
import { rke2ControlPlaneSpecFields } from '../texts/rke2-control-plane.ts';

const NOT_REMEDIATED = 'Kept if another program wrote it: Windlass does not replace unhealthy RKE2 machines yet.';

export const rke2ControlPlaneTexts = {
  text: 'Control plane of a cluster, run on machines that are RKE2 servers.',
  fields: {
    spec: [
      'Desired state of the control plane.',
      {
        ...rke2ControlPlaneSpecFields,
        version: 'RKE2 release of the machines, such as v1.34.2+rke2r1. A change replaces them one after another.',
        replicas: 'Number of control plane machines. Defaults to 1; an odd number is best for the quorum of etcd.',
      },
    ],
    status: [
      'Observed state of the control plane. Written by the controllers.',
      {
        conditions: conditionsText,
        initialization: ['Milestones of the first start.', { controlPlaneInitialized: initializedText }],
        observedGeneration: observedGenerationText,
        ...counterFields,
        version: 'Lowest version that a machine runs.',
        availableServerIPs: 'Host names or IP addresses where further machines register.',
        lastRemediation: [
          NOT_REMEDIATED,
          {
            machine: 'Name of the machine that was replaced.',
            timestamp: 'When the replacement began, in RFC 3339 form.',
            retryCount: 'Number of replacements for the same failure before this one.',
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
