import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { legacyMachineTemplateText, machineTemplateText, minReadySecondsText } from '../texts/machine-spec.ts';
import {
  conditionsText,
  deprecatedStatusText,
  failureFields,
  labelSelectorFields,
  v1beta1StatusFields,
} from '../texts/meta.ts';
import {
  countersOfV1beta2,
  deletionOrderText,
  legacyCounters,
  machineNamingText,
  observedGenerationText,
  replicaStatusFields,
  replicasText,
} from '../texts/replicas.ts';

const SPEC = 'The desired machines.';
const STATUS = 'What the controllers observe. Written by the controllers.';

const { fullyLabeledReplicas, readyReplicas, availableReplicas } = legacyCounters;
const ofV1beta1 = { fullyLabeledReplicas, readyReplicas, availableReplicas };

export const machineSetTexts = {
  text: 'A number of equal worker machines, replaced when they fail. Usually created by a MachineDeployment, one set for each revision of its template.',
  fields: {
    spec: [
      SPEC,
      {
        clusterName: 'Name of the Cluster in the same namespace. Cannot be changed.',
        selector: [
          'Machines that belong to the set; the labels of the template must match. Defaults to a label with the name of the set.',
          labelSelectorFields,
        ],
        template: machineTemplateText,
        replicas: replicasText,
        machineNaming: machineNamingText,
        deletion: ['Which machines go first on scale-down.', { order: deletionOrderText }],
      },
    ],
    status: [
      STATUS,
      {
        ...replicaStatusFields,
        observedGeneration: observedGenerationText,
        deprecated: deprecatedStatusText({ ...failureFields, ...ofV1beta1 }),
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [
        SPEC,
        {
          minReadySeconds: minReadySecondsText,
          deletePolicy: deletionOrderText,
          template: legacyMachineTemplateText,
          machineNamingStrategy: machineNamingText,
        },
      ],
      status: [
        STATUS,
        {
          ...v1beta1StatusFields,
          v1beta2: ['Status as v1beta2 reports it.', { conditions: conditionsText, ...countersOfV1beta2 }],
          ...failureFields,
          ...ofV1beta1,
        },
      ],
    },
  },
} satisfies KindTexts;
