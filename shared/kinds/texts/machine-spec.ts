/** Texts of a machine's spec, which Machine and the templates of its owners share. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { contractReferenceFields, legacyReferenceFields, templateMetaFields } from './meta.ts';

/** How long a deletion waits, in whole seconds. */
export const deletionTimeoutFields = {
  nodeDrainTimeoutSeconds:
    'Longest time in seconds to drain the node before the machine is removed anyway. Unset and 0 mean no limit.',
  nodeVolumeDetachTimeoutSeconds:
    'Longest time in seconds to wait until the volumes of the node are detached. Unset and 0 mean no limit.',
  nodeDeletionTimeoutSeconds:
    'Longest time in seconds to try to delete the Node object once the machine is gone. Each Machine defaults to 10, and 0 means no limit.',
} satisfies FieldTexts;

/** The same in v1beta1, as durations of Go. */
export const legacyTimeoutFields = {
  nodeDrainTimeout:
    'Longest time to drain the node before the machine is removed anyway, as a duration such as 5m. Unset and 0s mean no limit.',
  nodeVolumeDetachTimeout:
    'Longest time to wait until the volumes of the node are detached, as a duration such as 5m. Unset and 0s mean no limit.',
  nodeDeletionTimeout:
    'Longest time to try to delete the Node object once the machine is gone, as a duration. Each Machine defaults to 10s, and 0s means no limit.',
} satisfies FieldTexts;

const machineDeletionText = [
  'How long the deletion of a machine waits for its node.',
  deletionTimeoutFields,
] satisfies FieldText;

/** A condition that counts for another one. */
export const gateFields = {
  conditionType: 'Type of the condition, as a qualified name. Unique within the list.',
  polarity: 'Whether True means good (Positive) or bad (Negative). Defaults to Positive.',
} satisfies FieldTexts;

export const readinessGatesText = [
  'Further conditions of the Machine that must hold before it is Ready. At most 32.',
  gateFields,
] satisfies FieldText;

/** A taint that the controllers keep on the node of a machine. */
export const taintFields = {
  key: 'Key of the taint, with an optional DNS prefix and a slash.',
  value: 'Value of the taint. Optional.',
  effect: 'What happens to pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.',
  propagation:
    'Always restores the taint whenever it is missing; OnInitialization sets it once, when the node first appears.',
} satisfies FieldTexts;

export const machineTaintsText = [
  'Taints for the node of the machine, identified by key and effect. At most 64.',
  taintFields,
] satisfies FieldText;

export const minReadySecondsText =
  'Time in seconds that a machine must be Ready before it counts as available. Defaults to 0.';

export const machineSpecFields = {
  clusterName: 'Name of the Cluster in the same namespace. Cannot be changed.',
  bootstrap: [
    'Where the boot script comes from: a configuration object or a ready-made Secret. One of the two is required.',
    {
      configRef: [
        'Configuration object, such as a KubeadmConfig, that renders the boot script.',
        contractReferenceFields,
      ],
      dataSecretName:
        'Name of the Secret that holds the boot script under the key value. Filled by the controllers if configRef is set.',
    },
  ],
  infrastructureRef: [
    'Object that describes the machine in the cloud, such as an AWSMachine.',
    contractReferenceFields,
  ],
  version: 'Kubernetes version of the kubelet, such as v1.34.1. A missing leading v is added.',
  providerID:
    "Identifier of the machine in the cloud, equal to the node's spec.providerID. Written by the controllers.",
  failureDomain:
    'Failure domain to run in; on AWS an availability zone. Unset leaves the choice to the infrastructure.',
  minReadySeconds: minReadySecondsText,
  readinessGates: readinessGatesText,
  deletion: machineDeletionText,
  taints: machineTaintsText,
} satisfies FieldTexts;

const legacyBootstrapText = [
  'Where the boot script comes from: a configuration object or a ready-made Secret. One of the two is required.',
  {
    configRef: ['Configuration object, such as a KubeadmConfig, that renders the boot script.', legacyReferenceFields],
  },
] satisfies FieldText;

/** What v1beta1 has besides. */
export const legacyMachineSpecFields = {
  bootstrap: legacyBootstrapText,
  infrastructureRef: ['Object that describes the machine in the cloud, such as an AWSMachine.', legacyReferenceFields],
  ...legacyTimeoutFields,
} satisfies FieldTexts;

const TEMPLATE = 'Metadata and spec of the machines. Changing most fields replaces the machines one after another.';

/** `spec.template` of all owners of machines. In a template, references are to templates. */
export const machineTemplateText = [
  TEMPLATE,
  {
    metadata: ['Labels and annotations for the machines.', templateMetaFields],
    spec: [
      'Spec of the machines.',
      {
        ...machineSpecFields,
        clusterName: 'Name of the Cluster. Must equal spec.clusterName.',
        bootstrap: [
          'Where the boot script comes from: a configuration template or a ready-made Secret. One of the two is required.',
          {
            configRef: [
              'Template, such as a KubeadmConfigTemplate, from which each machine gets its own configuration object.',
              contractReferenceFields,
            ],
            dataSecretName: 'Name of a Secret that holds one boot script, under the key value, for all machines.',
          },
        ],
        infrastructureRef: [
          'Template, such as an AWSMachineTemplate, from which each machine gets its own infrastructure object.',
          contractReferenceFields,
        ],
        providerID: 'Belongs to one machine and has no effect in a template.',
      },
    ],
  },
] satisfies FieldText;

/** The same for v1beta1. */
export const legacyMachineTemplateText = [
  TEMPLATE,
  {
    spec: [
      'Spec of the machines.',
      {
        ...legacyTimeoutFields,
        bootstrap: [
          'Where the boot script comes from: a configuration template or a ready-made Secret. One of the two is required.',
          {
            configRef: [
              'Template, such as a KubeadmConfigTemplate, from which each machine gets its own configuration object.',
              legacyReferenceFields,
            ],
          },
        ],
        infrastructureRef: [
          'Template, such as an AWSMachineTemplate, from which each machine gets its own infrastructure object.',
          legacyReferenceFields,
        ],
      },
    ],
  },
] satisfies FieldText;
