import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of the variables of a ClusterClass. */

const metadataFields = {
  labels: 'Labels of the variable.',
  annotations: 'Annotations of the variable.',
} satisfies FieldTexts;

const ruleFields = {
  rule: 'CEL expression that must be true for the value, which it calls self.',
  message: 'Error message if the rule fails. Defaults to one that quotes the rule.',
  messageExpression: 'CEL expression for the error message. Takes precedence over message.',
  reason:
    'Code of the failure: FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate. Defaults to FieldValueInvalid.',
  fieldPath: 'Path of the field that the failure is reported for, relative to the value, such as .size.',
} satisfies FieldTexts;

const limits = {
  maxProperties: 'Largest number of entries of an object.',
  minProperties: 'Smallest number of entries of an object.',
  maxItems: 'Largest number of items of an array.',
  minItems: 'Smallest number of items of an array.',
  maxLength: 'Largest number of characters of a string.',
  minLength: 'Smallest number of characters of a string.',
  maximum: 'Largest value of a number.',
  exclusiveMaximum: 'Requires a number to be less than maximum instead of at most equal to it. Defaults to false.',
  minimum: 'Smallest value of a number.',
  exclusiveMinimum: 'Requires a number to be greater than minimum instead of at least equal to it. Defaults to false.',
} satisfies FieldTexts;

const schemaFields = {
  ...limits,
  description: 'Description of the variable, for people.',
  example: 'Example of a valid value.',
  type: 'Type of the value: object, array, string, integer, number or boolean.',
  properties: 'Schemas of the fields of an object, by name. Cannot be combined with additionalProperties.',
  additionalProperties: 'Schema of the values of a map. Cannot be combined with properties.',
  required: 'Names of the fields that an object must have.',
  items: 'Schema of the items of an array.',
  uniqueItems: 'Requires all items of an array to differ. Defaults to false.',
  format: 'Format of a string, such as date-time or ipv4. Unknown formats are ignored.',
  pattern: 'Regular expression that a string must match.',
  enum: 'Values that are allowed, 100 at most. All by default.',
  default: 'Value for clusters that do not set the variable.',
  'x-kubernetes-preserve-unknown-fields': 'Keeps fields of an object that the schema does not name. Defaults to false.',
  'x-kubernetes-validations': ['Rules that the value must meet, at most 100.', ruleFields],
  'x-metadata': ['Labels and annotations for tools that show the variable.', metadataFields],
  'x-kubernetes-int-or-string': 'Accepts an integer or a string, so that type may be left out. Defaults to false.',
  allOf: 'Schemas that the value must all match.',
  oneOf: 'Schemas of which the value must match exactly one.',
  anyOf: 'Schemas of which the value must match at least one.',
  not: 'Schema that the value must not match.',
} satisfies FieldTexts;

const definitionFields = {
  required: 'Whether clusters must set the variable.',
  schema: [
    'Schema of the variable.',
    { openAPIV3Schema: ['Schema of the value, in the form of CustomResourceDefinitions.', schemaFields] },
  ],
  deprecatedV1Beta1Metadata: [
    'Labels and annotations of the variable from v1beta1. Superseded by x-metadata of the schema.',
    metadataFields,
  ],
} satisfies FieldTexts;

const nameText = 'Name of the variable, unique within the class. May not be builtin or contain a dot.';

export const variablesText = [
  'Variables that clusters of the class may set, and that patches use.',
  { name: nameText, ...definitionFields },
] satisfies FieldText;

const definitionsText = 'Definitions of the variable, one per origin.';

export const statusVariablesText = [
  'Variables that clusters of the class may set, with their definitions.',
  {
    name: 'Name of the variable.',
    definitions: [
      definitionsText,
      { from: 'Origin of the definition: inline, or the name of a patch.', ...definitionFields },
    ],
    definitionsConflict: 'Whether the definitions contradict each other.',
  },
] satisfies FieldText;

/** What v1beta1 adds. */
const oldMetadata = {
  metadata: ['Labels and annotations for tools that show the variable.', metadataFields],
} satisfies FieldTexts;

export const oldVariablesText = [variablesText[0], oldMetadata] satisfies FieldText;

export const oldStatusVariablesText = [
  statusVariablesText[0],
  { definitions: [definitionsText, oldMetadata] },
] satisfies FieldText;
