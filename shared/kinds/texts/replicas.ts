/** Common texts of the owners of machines: counters, versions, naming, rollout. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { maxInFlightText } from './health-check.ts';
import { conditionsText } from './meta.ts';

export const versionsText = [
  'Kubernetes versions of the machines, with the number of machines that run each.',
  { version: 'Kubernetes version.', replicas: 'Number of machines that run the version.' },
] satisfies FieldText;

const READY = 'Number of machines whose Ready condition is True.';
const AVAILABLE = 'Number of machines whose Available condition is True.';
const UP_TO_DATE = 'Number of machines that match the current spec.';

/** The counters that only v1beta2 has, also below `status.v1beta2` of v1beta1. */
export const countersOfV1beta2 = {
  readyReplicas: READY,
  availableReplicas: AVAILABLE,
  upToDateReplicas: UP_TO_DATE,
} satisfies FieldTexts;

export const replicaStatusFields = {
  conditions: conditionsText,
  selector: 'Label selector of the machines in text form. The scale subresource reads it.',
  replicas: 'Number of machines that exist, those being deleted included.',
  ...countersOfV1beta2,
  versions: versionsText,
} satisfies FieldTexts;

/** The counters of v1beta1, which count by nodes. */
export const legacyCounters = {
  fullyLabeledReplicas: 'Number of machines that carry all labels of the template.',
  readyReplicas: 'Number of machines whose node is Ready.',
  availableReplicas: 'Number of machines whose node has been Ready for at least minReadySeconds.',
  unavailableReplicas: 'Number of machines that are missing or not available.',
  updatedReplicas: 'Number of machines that match the current template.',
} satisfies FieldTexts;

export const observedGenerationText = 'metadata.generation that the status was last derived from.';

export const replicasText =
  "Number of machines to run. Defaults to 1, or to a number within the autoscaler's bounds if its min-size and max-size annotations are both set.";

export const deletionOrderText =
  'Which machines go first on scale-down: Random, Newest or Oldest. Defaults to Random; machines marked for deletion and unhealthy ones always go first.';

export const machineNamingText = [
  'How the machines are named.',
  {
    template:
      'Go template that must contain {{ .random }} and may use .cluster.name and .machineSet.name. Defaults to {{ .machineSet.name }}-{{ .random }}; names are cut to 63 characters.',
  },
] satisfies FieldText;

const rollingUpdateFields = {
  maxUnavailable:
    'Most machines that may be missing during a rollout, as a number or a percentage of replicas rounded down. Defaults to 0.',
  maxSurge:
    'Most machines to run beyond replicas during a rollout, as a number or a percentage rounded up. Defaults to 1.',
} satisfies FieldTexts;

export const strategyFields = {
  type: 'RollingUpdate replaces outdated machines step by step, OnDelete only those that someone deletes. Defaults to RollingUpdate.',
  rollingUpdate: ['Bounds of a rolling update.', rollingUpdateFields],
} satisfies FieldTexts;

/** The strategy of v1beta1, which also holds what v1beta2 keeps elsewhere. */
export const legacyStrategyFields = {
  type: strategyFields.type,
  rollingUpdate: [
    'Bounds of a rolling update, and the order of scale-down.',
    { ...rollingUpdateFields, deletePolicy: deletionOrderText },
  ],
  remediation: [
    'How unhealthy machines are replaced.',
    {
      maxInFlight: maxInFlightText,
    },
  ],
} satisfies FieldTexts;

export const rolloutAfterText =
  'Time in RFC 3339 form after which every machine created before it is replaced. Use it to renew machines without a change of the template.';
