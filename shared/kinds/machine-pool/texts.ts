import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { legacyMachineTemplateText, machineTemplateText, minReadySecondsText } from '../texts/machine-spec.ts';
import {
  conditionsText,
  deprecatedStatusText,
  failureFields,
  objectReferenceFields,
  v1beta1StatusFields,
} from '../texts/meta.ts';
import {
  countersOfV1beta2,
  legacyCounters,
  observedGenerationText,
  replicaStatusFields,
  replicasText,
} from '../texts/replicas.ts';

const SPEC = 'The desired machines.';
const STATUS = 'State of the pool and its machines.';

const { readyReplicas, availableReplicas, unavailableReplicas } = legacyCounters;
const ofV1beta1 = { readyReplicas, availableReplicas, unavailableReplicas };
const { selector: _, ...counters } = replicaStatusFields;

export const machinePoolTexts = {
  text: 'A group of machines that the cloud keeps as one, such as an EC2 Auto Scaling group. Every instance of it has a Machine.',
  fields: {
    spec: [
      SPEC,
      {
        clusterName: 'Name of the Cluster in the same namespace. Cannot be changed.',
        template: machineTemplateText,
        replicas: replicasText,
        providerIDList: 'Identifiers of the instances in the cloud. Belongs to the controllers.',
        failureDomains: 'Failure domains of the pool, such as availability zones.',
      },
    ],
    status: [
      STATUS,
      {
        ...counters,
        initialization: [
          'Milestones of the creation.',
          {
            infrastructureProvisioned: 'True once the infrastructure of the pool is ready.',
            bootstrapDataSecretCreated: 'True once the Secret with the boot script exists.',
          },
        ],
        nodeRefs: ['Nodes of the pool.', objectReferenceFields],
        phase:
          'Summary for people: Pending, Provisioning, Provisioned, Running, ScalingUp, ScalingDown, Scaling, Deleting, Failed or Unknown.',
        observedGeneration: observedGenerationText,
        deprecated: deprecatedStatusText({ ...failureFields, ...ofV1beta1 }),
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [SPEC, { template: legacyMachineTemplateText, minReadySeconds: minReadySecondsText }],
      status: [
        STATUS,
        {
          ...v1beta1StatusFields,
          v1beta2: ['Status as v1beta2 reports it.', { conditions: conditionsText, ...countersOfV1beta2 }],
          ...failureFields,
          ...ofV1beta1,
          bootstrapReady: 'True once the Secret with the boot script exists.',
          infrastructureReady: 'True once the infrastructure of the pool is ready.',
        },
      ],
    },
  },
} satisfies KindTexts;
