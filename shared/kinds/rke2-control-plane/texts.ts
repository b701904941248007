import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import {
  counterFields,
  initializedText,
  lastRemediationFields,
  lastRemediationText,
  remediationTimeText,
} from '../texts/control-plane.ts';
import { conditionsText } from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';
import { rke2ControlPlaneSpecFields } from '../texts/rke2-control-plane.ts';

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
        lastRemediation: [lastRemediationText, { ...lastRemediationFields, timestamp: remediationTimeText }],
      },
    ],
  },
} satisfies KindTexts;
