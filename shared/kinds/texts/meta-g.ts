import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of the fields that the AWS kinds share with other kinds. */

/** The conditions of Cluster API v1beta1. */
export const legacyConditionsText = [
  'What is currently true of the object, one entry for each type. Written by the controllers.',
  {
    type: 'What the condition is about, in CamelCase or as a qualified name. Unique within the list.',
    status: 'Whether the condition holds: True, False or Unknown.',
    lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
    severity: 'How serious a status of False is: Error, Warning or Info. Empty for the other statuses.',
    reason: 'A CamelCase code for the cause, meant for programs.',
    message: 'The cause in words, with the names and error codes that people need.',
  },
] satisfies FieldText;

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

/** An address of a machine. */
export const machineAddressFields = {
  type: 'One of Hostname, InternalIP, ExternalIP, InternalDNS and ExternalDNS.',
  address: 'An IP address or a DNS name.',
} satisfies FieldTexts;
