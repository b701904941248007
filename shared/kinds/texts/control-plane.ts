import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText, deprecatedText, failureFields, legacyConditionsText } from './meta.ts';
import { observedGenerationText } from './replicas.ts';

/** Texts that control planes of kubeadm and RKE2 and their templates share. */

export const machineMetaText = [
  'Labels and annotations for the control plane machines. A change is applied to existing machines without replacing them.',
  { labels: 'Labels for the Machines.', annotations: 'Annotations for the Machines.' },
] satisfies FieldText;

export const deletionText = 'How long the deletion of a machine waits for its node.';
export const taintsText =
  'Taints that are kept on the nodes, at most 64. A change is applied to existing nodes; other taints of a node are left alone.';
export const readinessGatesText =
  'Further conditions that must hold for a Machine to be Ready. Those of the control plane components and of etcd always count.';

const maxSurgeText =
  'Number of extra machines during a rollout: 1 creates the new machine first, 0 deletes the old one first and needs at least 3 replicas. Defaults to 1.';

export const strategyText = [
  'How machines are replaced during a rollout. Defaults to a RollingUpdate with one extra machine.',
  {
    type: 'Kind of rollout. RollingUpdate, the default and only choice, replaces machines one after another.',
    rollingUpdate: ['Limits of the rolling update.', { maxSurge: maxSurgeText }],
  },
] satisfies FieldText;

export const certificatesBeforeText = [
  'Replaces machines before their certificates expire. Off by default.',
  {
    certificatesExpiryDays:
      'Replaces a machine when its certificates expire within this number of days. At least 7, and less than certificateValidityPeriodDays.',
  },
] satisfies FieldText;

export const rolloutAfterText =
  'Time in RFC 3339 form. Once it has passed, all machines that were created before it are replaced.';

export const remediationText = 'Limits for the replacement of machines that a MachineHealthCheck finds unhealthy.';
export const maxRetryText =
  'Number of times that a failed replacement of an unhealthy machine is replaced again. No limit by default.';
export const retryPeriodText =
  'How long to wait before a failed replacement is replaced again, such as 10m0s. Defaults to 0s.';
export const minHealthyPeriodText =
  'How long after its creation the failure of a replacement still counts as a retry, such as 30m0s. Defaults to 1h0m0s.';

export const namingText = [
  'How the machines are named.',
  {
    template:
      'Go template that must contain {{ .random }} and may use .cluster.name and .kubeadmControlPlane.name. Defaults to {{ .kubeadmControlPlane.name }}-{{ .random }}; names are cut to 63 characters.',
  },
] satisfies FieldText;

/** The counters of v1beta2. */
export const counterFields = {
  replicas: 'Number of control plane machines that exist.',
  readyReplicas: 'Number of machines whose condition Ready is True.',
  availableReplicas: 'Number of machines whose condition Available is True.',
  upToDateReplicas: 'Number of machines whose condition UpToDate is True.',
} satisfies FieldTexts;

/** The counters that v1beta1 counts in its own way. */
export const oldCounterFields = {
  updatedReplicas: 'Number of machines that are up to date.',
  readyReplicas: 'Number of machines that are ready.',
  unavailableReplicas: 'Number of machines that are not available.',
} satisfies FieldTexts;

export const initializedText = 'True once the API server has accepted requests. Never goes back to false.';

export const lastRemediationText = 'The last replacement of an unhealthy machine.';

export const lastRemediationFields = {
  machine: 'Name of the machine that was replaced.',
  retryCount: 'Number of replacements for the same failure before this one.',
} satisfies FieldTexts;

export const remediationTimeText = 'When the replacement began, in RFC 3339 form.';

export const kubeadmControlPlaneStatusFields = {
  conditions: conditionsText,
  initialization: ['Milestones of the first start.', { controlPlaneInitialized: initializedText }],
  selector: 'Label selector of the machines as text, for the scale subresource.',
  ...counterFields,
  versions: [
    'Kubernetes versions that the machines run, one entry per version.',
    { version: 'Kubernetes version, such as v1.34.1.', replicas: 'Number of machines that run the version.' },
  ],
  version: 'Lowest Kubernetes version that a machine runs. Superseded by versions.',
  observedGeneration: observedGenerationText,
  lastRemediation: [lastRemediationText, { ...lastRemediationFields, time: remediationTimeText }],
  deprecated: [
    deprecatedText,
    { v1beta1: [deprecatedText, { conditions: legacyConditionsText, ...failureFields, ...oldCounterFields }] },
  ],
} satisfies FieldTexts;
