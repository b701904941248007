import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { labelSelectorFields } from './meta.ts';

/** Conditions in the form of Cluster API v1beta1, which is the only one that the kinds for hosts have. */
export const hostConditionsText = [
  'What is currently true of the object, one entry for each type. Written by the controllers, in the form of Cluster API v1beta1.',
  {
    type: 'What the condition is about, in CamelCase. Unique within the list.',
    status: 'Whether the condition holds: True, False or Unknown.',
    lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
    severity: 'How serious a status of False is: Error, Warning or Info. Empty for the other statuses.',
    reason: 'A CamelCase code for the cause, meant for programs.',
    message: 'The cause in words. Words of the host are shown without anything that may be a secret.',
  },
] satisfies FieldText;

/** The spec of a HostMachine, and of the template of such. */
export const hostMachineSpecFields = {
  selector: [
    'Labels of the Hosts that the machine may claim. Without a selector, any free Host of the namespace.',
    labelSelectorFields,
  ],
  providerID:
    'Name of the claimed host in the form host://<namespace>/<Host>/<uid of the HostMachine>. Written by the controllers.',
} satisfies FieldTexts;
