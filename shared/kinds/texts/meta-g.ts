import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of the fields that the AWS kinds share with other kinds. */

/** A label selector. */
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

/** The metadata in a template. */
export const templateMetaFields = {
  labels: 'Labels for the objects that are created from the template.',
  annotations: 'Annotations for the objects that are created from the template.',
} satisfies FieldTexts;
