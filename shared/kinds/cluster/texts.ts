import type { FieldTexts, KindTexts } from '../../kube-api/schema/field-texts.ts';
import { gateFields } from '../texts/machine-spec.ts';
import {
  conditionsText,
  contractReferenceFields,
  deprecatedStatusText,
  failureFields,
  legacyReferenceFields,
  v1beta1StatusFields,
} from '../texts/meta.ts';
import { countersOfV1beta2, observedGenerationText, versionsText } from '../texts/replicas.ts';
import { legacyTopologyText, topologyText } from '../texts/topology.ts';

const SPEC = 'The desired cluster. At least one of controlPlaneRef, infrastructureRef and topology is required.';
const CONTROL_PLANE = 'Control plane of the cluster, such as a KubeadmControlPlane. Cannot be removed.';
const INFRASTRUCTURE = 'Network and other infrastructure of the cluster, such as an AWSCluster. Cannot be removed.';
const STATUS = 'What the controllers observe. Written by the controllers.';

const counters = {
  desiredReplicas: 'Number of machines that the specs ask for.',
  replicas: 'Number of machines that exist.',
  ...countersOfV1beta2,
  versions: versionsText,
  upgradePlan: [
    'Versions through which a managed topology still has to be upgraded, in order. Windlass never sets it.',
    { version: 'Kubernetes version of the step.' },
  ],
} satisfies FieldTexts;

const machines = {
  controlPlane: ['Machines of the control plane, counted.', counters],
  workers: ['Machines of all MachineDeployments and of other workers, counted.', counters],
} satisfies FieldTexts;

export const clusterTexts = {
  text: 'A Kubernetes cluster: what it is called, which networks its pods and services use, and which objects describe its control plane and infrastructure.',
  fields: {
    spec: [
      SPEC,
      {
        paused: 'Stops the controllers from changing the cluster and its machines while true. Defaults to false.',
        clusterNetwork: [
          'Networks inside the cluster. Pod and service ranges must not overlap.',
          {
            apiServerPort: 'Port that the API servers listen on, 1 to 65535. Defaults to 6443.',
            services: [
              'Addresses of services.',
              {
                cidrBlocks:
                  "IP ranges in CIDR form, one for each IP family. Unset uses the distribution's own default.",
              },
            ],
            pods: [
              'Addresses of pods.',
              { cidrBlocks: 'IP ranges in CIDR form, one for each IP family. The network add-on must use the same.' },
            ],
            serviceDomain: 'DNS domain of services inside the cluster. Defaults to cluster.local.',
          },
        ],
        controlPlaneEndpoint: [
          'Address of the Kubernetes API. Filled from the infrastructure object if unset.',
          { host: 'DNS name or IP address.', port: 'TCP port, 1 to 65535.' },
        ],
        controlPlaneRef: [CONTROL_PLANE, contractReferenceFields],
        infrastructureRef: [INFRASTRUCTURE, contractReferenceFields],
        topology: topologyText,
        availabilityGates: [
          'Further conditions of the Cluster that must hold before it is Available. At most 32.',
          gateFields,
        ],
      },
    ],
    status: [
      STATUS,
      {
        conditions: conditionsText,
        initialization: [
          'Milestones of the creation. Once true they stay true.',
          {
            infrastructureProvisioned: 'True once the infrastructure is ready for machines.',
            controlPlaneInitialized: 'True once the Kubernetes API has answered for the first time.',
          },
        ],
        ...machines,
        failureDomains: [
          'Failure domains that machines can be placed in; on AWS the availability zones of the subnets.',
          {
            name: 'Name of the failure domain.',
            controlPlane: 'Whether control plane machines may run in it.',
            attributes: 'Further facts from the infrastructure.',
          },
        ],
        phase:
          'Summary for people: Pending, Provisioning, Provisioned, Deleting, Failed or Unknown. Programs should read the conditions.',
        observedGeneration: observedGenerationText,
        deprecated: deprecatedStatusText(failureFields),
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [
        SPEC,
        {
          controlPlaneRef: [CONTROL_PLANE, legacyReferenceFields],
          infrastructureRef: [INFRASTRUCTURE, legacyReferenceFields],
          topology: legacyTopologyText,
        },
      ],
      status: [
        STATUS,
        {
          ...v1beta1StatusFields,
          v1beta2: ['Status as v1beta2 reports it.', { conditions: conditionsText, ...machines }],
          ...failureFields,
          infrastructureReady: 'True once the infrastructure is ready for machines.',
          controlPlaneReady: 'True once the control plane can serve requests.',
        },
      ],
    },
  },
} satisfies KindTexts;
