import type { EC2Client } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { createClassicElbClient } from '../../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client } from '../../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../../shared/aws/clients/elbv2.ts';
import { routeTableReads } from '../../../../shared/providers/aws/network/route-tables/api.ts';
import {
  securityGroupReads,
  securityGroupWrites,
} from '../../../../shared/providers/aws/network/security-groups/api.ts';
import { subnetReads } from '../../../../shared/providers/aws/network/subnets/api.ts';
import { zoneReads } from '../../../../shared/providers/aws/network/zones/api.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { classicReads } from '../../../../shared/providers/aws/services/classic/reads-api.ts';
import { classicWrites } from '../../../../shared/providers/aws/services/classic/writes-api.ts';
import { createNodeInstances } from '../../../../shared/providers/aws/services/instances-api.ts';
import { serviceReads } from '../../../../shared/providers/aws/services/reads-api.ts';
import { serviceWrites } from '../../../../shared/providers/aws/services/writes-api.ts';
import type { BalancerPort } from '../../ports.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { ServiceBalancing, ServiceNetwork } from './dependencies.ts';
import { makeBalancerPort } from './port.ts';

interface Clients {
  readonly ec2: EC2Client;
  readonly elb: ElasticLoadBalancingClient;
  readonly elbv2: ElasticLoadBalancingV2Client;
}

/** The security group of a classic load balancer is created together with it. */
export const serviceBalancing = ({ ec2, elb, elbv2 }: Clients): ServiceBalancing => ({
  ...serviceReads(elbv2),
  ...serviceWrites(elbv2),
  ...classicReads(elb),
  ...classicWrites(elb, securityGroupWrites(ec2)),
});

export const serviceNetwork = (client: EC2Client): ServiceNetwork => {
  const { authorizeIngress, revokeIngress, deleteSecurityGroup } = securityGroupWrites(client);
  return {
    ...subnetReads({ client }),
    ...routeTableReads({ client }),
    ...zoneReads(client),
    ...securityGroupReads({ client }),
    authorizeIngress,
    revokeIngress,
    deleteSecurityGroup,
  };
};

/** The port with clients of EC2 and of both generations of load balancing. */
export const createBalancerPort = (scopeOf: ScopeOf): BalancerPort =>
  makeBalancerPort({
    scopeOf,
    balancing: makePerScope((options) =>
      serviceBalancing({
        ec2: createEc2Client(options),
        elb: createClassicElbClient(options),
        elbv2: createElbv2Client(options),
      }),
    ),
    network: makePerScope((options) => serviceNetwork(createEc2Client(options))),
    instances: makePerScope((options) => createNodeInstances(createEc2Client(options))),
  });
