import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { hostConditionsText } from '../texts/host.ts';

export const hostClusterTexts = {
  text: 'A cluster whose machines are existing hosts. Nothing is created for it; you provide the endpoint.',
  fields: {
    spec: [
      'What the machines of the cluster share.',
      {
        controlPlaneEndpoint: [
          'Address of the API server, which has to lead to the control plane machines: a virtual IP address, a load balancer or a DNS name of yours.',
          {
            host: 'IP address or DNS name. Required before any machine is made.',
            port: 'Port of the API server. Defaults to 6443.',
          },
        ],
      },
    ],
    status: [
      'What is known about the cluster. Written by the controllers.',
      {
        ready: 'Whether machines can be made.',
        failureDomains: [
          'Zones of the Hosts of the namespace: the values of their label topology.kubernetes.io/zone.',
          {
            controlPlane: 'Whether control plane machines may be in the zone. Always true.',
            attributes: 'Never set.',
          },
        ],
        conditions: hostConditionsText,
      },
    ],
  },
} satisfies KindTexts;
