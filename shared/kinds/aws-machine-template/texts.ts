import type { FieldTexts, KindTexts } from '../../kube-api/schema/field-texts.ts';
import { awsMachineSpecFields } from '../texts/aws-machine-spec.ts';
import { awsConditionsText } from '../texts/aws-status.ts';
import { templateMetaFields } from '../texts/meta.ts';

const [cloudInitText, cloudInitFields] = awsMachineSpecFields.cloudInit;

/** Fields of a single machine are refused in a template. */
const machineFields = {
  ...awsMachineSpecFields,
  providerID: 'Refused in a template: it belongs to one machine.',
  cloudInit: [
    cloudInitText,
    {
      ...cloudInitFields,
      secretPrefix: 'Refused in a template: it belongs to one machine.',
      secretCount: 'Refused in a template: it belongs to one machine.',
    },
  ],
} satisfies FieldTexts;

export const awsMachineTemplateTexts = {
  text: 'The EC2 instance of each machine of a control plane or a MachineDeployment.',
  fields: {
    spec: [
      'The template. Immutable: to change machines, create a template with another name and refer to that.',
      {
        template: [
          'Metadata and spec of the AWSMachines.',
          {
            metadata: ['Labels and annotations for the AWSMachines.', templateMetaFields],
            spec: ['Spec of the AWSMachines.', machineFields],
          },
        ],
      },
    ],
    status: [
      'What the instance type offers. Written by the controllers.',
      {
        capacity:
          'Resources of the instance type, such as cpu and memory. The cluster autoscaler reads them to scale from zero.',
        nodeInfo: [
          'What nodes from the template are.',
          {
            architecture: 'CPU architecture of the instance type: amd64 or arm64.',
            operatingSystem: 'Operating system of the image: linux or windows.',
          },
        ],
        conditions: awsConditionsText,
      },
    ],
  },
} satisfies KindTexts;
