import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { maxInFlightText } from '../texts/health-check.ts';
import { legacyMachineTemplateText, machineTemplateText, minReadySecondsText } from '../texts/machine-spec.ts';
import { conditionsText, deprecatedStatusText, labelSelectorFields, v1beta1StatusFields } from '../texts/meta.ts';
import {
  countersOfV1beta2,
  deletionOrderText,
  legacyCounters,
  legacyStrategyFields,
  machineNamingText,
  observedGenerationText,
  replicaStatusFields,
  replicasText,
  rolloutAfterText,
  strategyFields,
} from '../texts/replicas.ts';

const SPEC = 'The desired machines and how they are replaced.';
const STATUS = 'What the controllers observe. Written by the controllers.';
const STRATEGY = 'How machines of an outdated template are replaced.';

const { fullyLabeledReplicas: _, ...ofV1beta1 } = legacyCounters;

export const machineDeploymentTexts = {
  text: 'A group of equal worker machines with rolling updates: each change of the template replaces them step by step through a new MachineSet.',
  fields: {
    spec: [
      SPEC,
      {
        clusterName: 'Name of the Cluster in the same namespace. Cannot be changed.',
        selector: [
          'Machines that belong to the deployment; the labels of the template must match. Defaults to labels with the names of the deployment and the cluster.',
          labelSelectorFields,
        ],
        template: machineTemplateText,
        replicas: replicasText,
        machineNaming: machineNamingText,
        deletion: ['Which machines go first on scale-down.', { order: deletionOrderText }],
        rollout: [
          'When and how machines are replaced.',
          { after: rolloutAfterText, strategy: [STRATEGY, strategyFields] },
        ],
        remediation: [
          'How unhealthy machines are replaced.',
          {
            maxInFlight: maxInFlightText,
          },
        ],
        paused:
          'Stops rollouts while true; a change of replicas is still applied, spread over the MachineSets. Defaults to false.',
      },
    ],
    status: [
      STATUS,
      {
        ...replicaStatusFields,
        observedGeneration: observedGenerationText,
        phase:
          'Summary for people: ScalingUp, ScalingDown, Running, Failed or Unknown. Programs should read the conditions.',
        deprecated: deprecatedStatusText(ofV1beta1),
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [
        SPEC,
        {
          template: legacyMachineTemplateText,
          rolloutAfter: rolloutAfterText,
          strategy: [STRATEGY, legacyStrategyFields],
          machineNamingStrategy: machineNamingText,
          minReadySeconds: minReadySecondsText,
          revisionHistoryLimit: 'Number of outdated MachineSets to keep. Stored and not acted on, as in Cluster API.',
          progressDeadlineSeconds:
            'Longest time for a rollout to progress. Stored and not acted on, as in Cluster API.',
        },
      ],
      status: [
        STATUS,
        {
          ...v1beta1StatusFields,
          v1beta2: ['Status as v1beta2 reports it.', { conditions: conditionsText, ...countersOfV1beta2 }],
          ...ofV1beta1,
        },
      ],
    },
  },
} satisfies KindTexts;
