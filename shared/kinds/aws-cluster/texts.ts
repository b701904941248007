import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { awsClusterSpecFields } from '../texts/aws-cluster-spec.ts';
import { loadBalancerStatusFields } from '../texts/aws-load-balancer.ts';
import { securityGroupFields } from '../texts/aws-network.ts';
import { awsConditionsText } from '../texts/aws-status.ts';
import { bastionStatusFields } from './bastion-texts.ts';

export const awsClusterTexts = {
  text: 'What a cluster needs in AWS before machines can be launched: VPC, subnets, gateways, security groups and the load balancer of the API.',
  fields: {
    spec: ['Infrastructure to create or to use. Every field has a default.', awsClusterSpecFields],
    status: [
      'What exists in AWS. Written by the controllers.',
      {
        ready: 'Whether machines can be launched. Once true, it stays true; later faults are in the conditions.',
        networkStatus: [
          'Security groups, load balancers and addresses of the cluster.',
          {
            securityGroups: ['Security groups of the cluster, by role.', securityGroupFields],
            apiServerElb: ['Load balancer of the API.', loadBalancerStatusFields],
            secondaryAPIServerELB: ['Second load balancer of the API, if there is one.', loadBalancerStatusFields],
            natGatewaysIPs: 'Public addresses that machines in private subnets are seen with on the internet.',
          },
        ],
        failureDomains: [
          'Zones that machines can be placed in, by name.',
          {
            controlPlane: 'Whether control plane machines may be placed in the zone.',
            attributes: 'Further facts about the zone. Not reported.',
          },
        ],
        bastion: ['Bastion host, if there is one.', bastionStatusFields],
        conditions: awsConditionsText,
      },
    ],
  },
} satisfies KindTexts;
