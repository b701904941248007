import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import {
  counterFields,
  initializedText,
  kubeadmControlPlaneStatusFields,
  lastRemediationFields,
  lastRemediationText,
  oldCounterFields,
  readinessGatesText,
  remediationTimeText,
} from '../texts/control-plane.ts';
import {
  kubeadmControlPlaneSpecFields,
  machineTemplateFields,
  machineTemplateText,
  oldControlPlaneSpecFields,
  oldMachineTemplateFields,
} from '../texts/kubeadm-control-plane.ts';
import { gateFields } from '../texts/machine-spec.ts';
import {
  conditionsText,
  contractReferenceFields,
  failureFields,
  legacyConditionsText,
  legacyReferenceFields,
} from '../texts/meta.ts';

const specText = 'Desired state of the control plane.';
const statusText = 'Observed state of the control plane. Written by the controllers.';
const infrastructureRefText =
  'Template that the machines are cloned from, such as an AWSMachineTemplate. A reference to a template with another name replaces the machines one after another.';

const [machineSpecText, machineSpecFields] = machineTemplateFields.spec;

export const kubeadmControlPlaneTexts = {
  text: 'Control plane of a cluster, run on machines that kubeadm sets up.',
  fields: {
    spec: [
      specText,
      {
        ...kubeadmControlPlaneSpecFields,
        version:
          'Kubernetes version of the machines, such as v1.34.1. It rises by one minor version at a time, or along the annotation windlass.dev/upgrade-path.',
        replicas: 'Number of control plane machines, odd unless etcd is external. Defaults to 1.',
        machineTemplate: [
          machineTemplateText,
          {
            ...machineTemplateFields,
            spec: [
              machineSpecText,
              {
                ...machineSpecFields,
                infrastructureRef: [infrastructureRefText, contractReferenceFields],
                readinessGates: [readinessGatesText, gateFields],
              },
            ],
          },
        ],
      },
    ],
    status: [statusText, kubeadmControlPlaneStatusFields],
  },
  versions: {
    v1beta1: {
      spec: [
        specText,
        {
          ...oldControlPlaneSpecFields,
          machineTemplate: [
            machineTemplateText,
            {
              ...oldMachineTemplateFields,
              infrastructureRef: [infrastructureRefText, legacyReferenceFields],
              readinessGates: [readinessGatesText, gateFields],
            },
          ],
        },
      ],
      status: [
        statusText,
        {
          conditions: legacyConditionsText,
          v1beta2: [
            'The parts of the v1beta2 status that mean something else in v1beta1.',
            {
              conditions: conditionsText,
              readyReplicas: counterFields.readyReplicas,
              availableReplicas: counterFields.availableReplicas,
              upToDateReplicas: counterFields.upToDateReplicas,
            },
          ],
          ...oldCounterFields,
          ...failureFields,
          initialized: initializedText,
          ready: 'True while at least one machine is ready.',
          lastRemediation: [lastRemediationText, { ...lastRemediationFields, timestamp: remediationTimeText }],
        },
      ],
    },
  },
} satisfies KindTexts;
