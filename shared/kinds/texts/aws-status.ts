import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of the status fields of the AWS kinds. */

/** Conditions in the form of Cluster API v1beta1, which is the only one that the AWS kinds have. */
export const awsConditionsText = [
  'What is currently true of the object, one entry for each type. Written by the controllers, in the form of Cluster API v1beta1.',
  {
    type: 'What the condition is about, in CamelCase or as a qualified name. Unique within the list.',
    status: 'Whether the condition holds: True, False or Unknown.',
    lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
    severity: 'How serious a status of False is: Error, Warning or Info. Empty for the other statuses.',
    reason: 'A CamelCase code for the cause, meant for programs.',
    message: 'The cause in words, with the names and error codes that people need.',
  },
] satisfies FieldText;

/** An address of an instance. */
export const instanceAddressFields = {
  type: 'One of Hostname, InternalIP, ExternalIP, InternalDNS and ExternalDNS.',
  address: 'An IP address or a DNS name.',
} satisfies FieldTexts;
