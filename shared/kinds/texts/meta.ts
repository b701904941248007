/** Texts of the fields that kinds of every provider share: conditions, references, selectors, metadata of templates. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

const conditionFields = {
  type: 'Aspect that the condition is about, such as Ready, in CamelCase or as a qualified name. Unique within the list.',
  status: 'Whether the condition holds: True, False or Unknown.',
  lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
  reason: 'CamelCase code for the cause, meant for programs.',
  message: 'The cause in words, with the names and error codes that people need. May be empty.',
} satisfies FieldTexts;

/** The conditions of v1beta2. */
export const conditionsText = [
  'What is currently true of the object, with one entry for each type. Written by the controllers.',
  {
    ...conditionFields,
    observedGeneration: 'metadata.generation of the object that the condition was set from.',
  },
] satisfies FieldText;

/** The conditions of v1beta1, which rank failures by severity. */
export const legacyConditionsText = [
  'What is currently true of the object in the form of v1beta1, with one entry for each type. Written by the controllers.',
  {
    ...conditionFields,
    severity: 'How serious a status of False is: Error, Warning or Info. Empty for the other statuses.',
  },
] satisfies FieldText;

/** A reference to an object of the same namespace, without a version: the controllers choose it by the contract. */
export const contractReferenceFields = {
  apiGroup: 'API group of the object, without a version. The controllers choose the version.',
  kind: 'Kind of the object.',
  name: 'Name of the object, which is in the same namespace.',
} satisfies FieldTexts;

/** A reference in the form of core/v1 ObjectReference. */
export const objectReferenceFields = {
  apiVersion: 'API group and version of the object, such as cluster.x-k8s.io/v1beta1.',
  kind: 'Kind of the object.',
  namespace: 'Namespace of the object.',
  name: 'Name of the object.',
  uid: 'UID of the object.',
  resourceVersion: 'Version of the object that the reference was made from.',
  fieldPath: 'Path to a part of the object, such as spec.containers{name}. Empty for the whole object.',
} satisfies FieldTexts;

/**
 * A reference of v1beta1 and of the RKE2 kinds: an ObjectReference of which the controllers read the first three
 * fields.
 */
export const legacyReferenceFields = {
  apiVersion: 'API group and version of the object, such as cluster.x-k8s.io/v1beta1.',
  kind: 'Kind of the object, in CamelCase.',
  name: 'Name of the object.',
  namespace: 'Namespace of the object, which is always that of the object that refers to it. May be left out.',
  uid: 'Stored and not acted on: the object is found by its name.',
  resourceVersion: 'Stored and not acted on: the newest version of the object is always used.',
  fieldPath: 'Stored and not acted on: the reference is always to the whole object.',
} satisfies FieldTexts;

export const labelSelectorFields = {
  matchLabels: 'Labels that an object must have, with exactly these values.',
  matchExpressions: [
    'Further requirements on labels. An object must meet all of them, and all of matchLabels.',
    {
      key: 'Label that the requirement is about.',
      operator: 'How the label is compared: In, NotIn, Exists or DoesNotExist.',
      values: 'Values to compare with. Required for In and NotIn, and empty for Exists and DoesNotExist.',
    },
  ],
} satisfies FieldTexts;

/** The metadata that a template gives to what is made from it. */
export const templateMetaFields = {
  labels: 'Labels for the objects that are created from the template.',
  annotations: 'Annotations for the objects that are created from the template.',
} satisfies FieldTexts;

/** `failureReason` and `failureMessage` of v1beta1. */
export const failureFields = {
  failureReason:
    'Code of a failure that needs manual repair. Kept if another program wrote it; Windlass never sets it.',
  failureMessage:
    'Explanation of a failure that needs manual repair. Kept if another program wrote it; Windlass never sets it.',
} satisfies FieldTexts;

/** `status.deprecated` of v1beta2, with the further fields that a kind keeps there. */
export const deprecatedStatusText = (fields: FieldTexts = {}): FieldText => [
  'Status that only clients of an older API version read.',
  { v1beta1: ['Status as v1beta1 reports it.', { conditions: legacyConditionsText, ...fields }] },
];

/** What `status` of v1beta1 has in addition to that of v1beta2: its own conditions, and those of v1beta2 below. */
export const v1beta1StatusFields = {
  conditions: legacyConditionsText,
  v1beta2: ['Status as v1beta2 reports it.', { conditions: conditionsText }],
} satisfies FieldTexts;

/** What a `v1beta1` status shows of v1beta2. */
export const newConditionsText = [
  'The parts of the v1beta2 status that v1beta1 has no other place for.',
  { conditions: conditionsText },
] satisfies FieldText;

/** The metadata in a template of bootstrap configurations, which controllers do not read. */
export const inheritedMetaText = [
  'Stored and not acted on: a bootstrap configuration gets the labels and annotations of its Machine.',
  {
    labels: 'Stored and not acted on: see the labels of the Machine.',
    annotations: 'Stored and not acted on: see the annotations of the Machine.',
  },
] satisfies FieldText;

/** `status.deprecated` of the control planes. */
export const deprecatedText =
  'Status fields that only v1beta1 has. Windlass derives them for v1beta1 clients and stores here only values that other programs wrote.';
