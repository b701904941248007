import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { awsMachineSpecFields } from '../texts/aws-machine-spec.ts';
import { awsConditionsText, instanceAddressFields } from '../texts/aws-status.ts';

export const awsMachineTexts = {
  text: 'The EC2 instance of one Machine. Usually created from an AWSMachineTemplate.',
  fields: {
    spec: [
      'The instance to launch. Immutable except for additionalTags, additionalSecurityGroups, the DNS records of privateDnsName and what the controllers fill in.',
      awsMachineSpecFields,
    ],
    status: [
      'What is known about the instance. Written by the controllers.',
      {
        ready: 'Whether the instance is running.',
        interruptible: 'Whether the instance is a spot instance, which EC2 may reclaim.',
        addresses: ['IP addresses and DNS names of the instance.', instanceAddressFields],
        instanceState: 'State of the instance as EC2 names it, such as pending, running or terminated.',
        failureReason: 'Code of a failure. Never set by Windlass: failures are in the conditions.',
        failureMessage: 'Text of a failure. Never set by Windlass: failures are in the conditions.',
        conditions: awsConditionsText,
        dedicatedHost: [
          'Dedicated Host that was allocated for the machine by dynamicHostAllocation.',
          { id: 'ID of the Dedicated Host.' },
        ],
      },
    ],
  },
} satisfies KindTexts;
