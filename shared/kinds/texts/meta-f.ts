import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of fields that many kinds share: conditions, references, metadata, taints, deletion. */

/** The conditions of v1beta2. */
export const conditionsText = [
  'Current conditions of the object, one entry per type. Written by the controllers.',
  {
    type: 'What the condition is about, in CamelCase or as a qualified name. Unique within the list.',
    status: 'Whether the condition holds: True, False or Unknown.',
    lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
    reason: 'CamelCase code of the cause, for programs.',
    message: 'Explanation for people. May be empty.',
    observedGeneration: 'Generation of the object that the condition was derived from.',
  },
] satisfies FieldText;

/** The conditions of v1beta1. */
export const legacyConditionsText = [
  'Current conditions of the object in the form of v1beta1. Derived from the v1beta2 conditions.',
  {
    type: 'What the condition is about, in CamelCase. Unique within the list.',
    status: 'Whether the condition holds: True, False or Unknown.',
    lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
    severity: 'How serious a status of False is: Error, Warning or Info. Empty for the other statuses.',
    reason: 'CamelCase code of the cause, for programs. Absent while the status is True.',
    message: 'Explanation for people. Absent while the status is True.',
  },
] satisfies FieldText;

/** `failureReason` and `failureMessage` of v1beta1. */
export const failureFields = {
  failureReason:
    'Code of a failure that needs manual repair. Kept if another program wrote it; Windlass never sets it.',
  failureMessage:
    'Explanation of a failure that needs manual repair. Kept if another program wrote it; Windlass never sets it.',
} satisfies FieldTexts;

/** What a `v1beta1` status shows of v1beta2. */
export const newConditionsText = [
  'The parts of the v1beta2 status that v1beta1 has no other place for.',
  { conditions: conditionsText },
] satisfies FieldText;

/** The metadata in a template. */
export const templateMetaFields = {
  labels: 'Labels for the objects that are created from the template.',
  annotations: 'Annotations for the objects that are created from the template.',
} satisfies FieldTexts;

/** The metadata in a template of bootstrap configurations, which controllers do not read. */
export const inheritedMetaText = [
  'Stored and not acted on: a bootstrap configuration gets the labels and annotations of its Machine.',
  {
    labels: 'Stored and not acted on: see the labels of the Machine.',
    annotations: 'Stored and not acted on: see the annotations of the Machine.',
  },
] satisfies FieldText;

/** A reference of v1beta2, by group and without version. */
export const contractReferenceFields = {
  apiGroup: 'API group of the object, without a version.',
  kind: 'Kind of the object, in CamelCase.',
  name: 'Name of the object, in the namespace of the object that refers to it.',
} satisfies FieldTexts;

/** core/v1 ObjectReference, as v1beta1 and the kinds of RKE2 have it. */
export const objectReferenceFields = {
  apiVersion: 'API group and version of the object, such as cluster.x-k8s.io/v1beta1.',
  kind: 'Kind of the object, in CamelCase.',
  name: 'Name of the object.',
  namespace: 'Namespace of the object, which is always that of the object that refers to it. May be left out.',
  uid: 'Stored and not acted on: the object is found by its name.',
  resourceVersion: 'Stored and not acted on: the newest version of the object is always used.',
  fieldPath: 'Stored and not acted on: the reference is always to the whole object.',
} satisfies FieldTexts;

/** A condition that counts for another one. */
export const gateFields = {
  conditionType: 'Type of the condition, as a qualified name. Unique within the list.',
  polarity: 'Positive if the condition should be True, Negative if it should be False. Defaults to Positive.',
} satisfies FieldTexts;

/** Taints that are kept on nodes. */
export const taintFields = {
  key: 'Key of the taint. Unique within the list, together with the effect.',
  value: 'Value of the taint. May be empty.',
  effect: 'What happens to pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.',
  propagation: 'Always keeps the taint on the node; OnInitialization adds it once, when the node first appears.',
} satisfies FieldTexts;

/** How long a deletion waits, in v1beta2. */
export const deletionFields = {
  nodeDrainTimeoutSeconds:
    'Seconds that the drain of the node may take before the machine is deleted anyway. Defaults to 0, which means no limit.',
  nodeVolumeDetachTimeoutSeconds:
    'Seconds to wait for the volumes of the node to be detached before the machine is deleted anyway. Defaults to 0, which means no limit.',
  nodeDeletionTimeoutSeconds:
    'Seconds during which the deletion of the Node object is retried once the instance is gone. Defaults to 10; 0 means no limit.',
} satisfies FieldTexts;

/** The same in v1beta1, as durations. */
export const oldDeletionFields = {
  nodeDrainTimeout:
    'How long the drain of the node may take before the machine is deleted anyway, such as 10m. Defaults to 0s, which means no limit.',
  nodeVolumeDetachTimeout:
    'How long to wait for the volumes of the node to be detached before the machine is deleted anyway, such as 5m. Defaults to 0s, which means no limit.',
  nodeDeletionTimeout:
    'How long the deletion of the Node object is retried once the instance is gone, such as 10s. Defaults to 10s; 0s means no limit.',
} satisfies FieldTexts;

export const deprecatedText =
  'Status fields that only v1beta1 has. Windlass derives them for v1beta1 clients and stores here only values that other programs wrote.';
export const observedGenerationText = 'Generation of the spec that the controllers processed last.';
