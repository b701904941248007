import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { hostMachineSpecFields } from '../texts/host.ts';
import { templateMetaFields } from '../texts/meta.ts';

export const hostMachineTemplateTexts = {
  text: 'Which hosts the machines of a control plane or a MachineDeployment may claim.',
  fields: {
    spec: [
      'The template. Immutable: to change machines, create a template with another name and refer to that.',
      {
        template: [
          'Metadata and spec of the HostMachines.',
          {
            metadata: ['Labels and annotations for the HostMachines.', templateMetaFields],
            spec: [
              'Spec of the HostMachines.',
              { ...hostMachineSpecFields, providerID: 'Refused in a template: it belongs to one machine.' },
            ],
          },
        ],
      },
    ],
    status: [
      'What a machine of the template offers. Windlass does not write it; set it for a cluster autoscaler that scales from zero.',
      {
        capacity: 'Resources of a machine, such as cpu and memory.',
        nodeInfo: [
          'What nodes from the template are.',
          { architecture: 'CPU architecture: amd64 or arm64.', operatingSystem: 'Operating system: linux.' },
        ],
      },
    ],
  },
} satisfies KindTexts;
