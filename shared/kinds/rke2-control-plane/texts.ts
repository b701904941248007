import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { counterFields, initializedText } from '../texts/control-plane.ts';
import { conditionsText, observedGenerationText } from '../texts/meta-f.ts';
import { rke2ControlPlaneSpecFields } from '../texts/rke2-control-plane.ts';

const NOT_REMEDIATED = 'Kept from clusters that were moved here: Windlass replaces no unhealthy RKE2 servers yet.';

export const rke2ControlPlaneTexts = {
  text: 'The control plane of a cluster, as a set of machines that run RKE2 servers.',
  fields: {
    spec: [
      'The control plane that is wanted.',
      {
        ...rke2ControlPlaneSpecFields,
        version: 'RKE2 release of the machines, such as v1.34.2+rke2r1. A change replaces them one after another.',
        replicas:
          'Number of control plane machines. Defaults to 1; choose an odd number, so that etcd keeps its quorum when one fails.',
      },
    ],
    status: [
      'The control plane as it is. Written by the controllers.',
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
            retryCount: 'Number of earlier attempts to repair the same failure.',
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
