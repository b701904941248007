import type { EC2Client } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
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
import { createNodeInstances } from '../../../../shared/providers/aws/services/instances-api.ts';
import { serviceReads } from '../../../../shared/providers/aws/services/reads-api.ts';
import { serviceWrites } from '../../../../shared/providers/aws/services/writes-api.ts';
import type { BalancerPort } from '../../ports.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { ServiceNetwork } from './dependencies.ts';
import { makeBalancerPort } from './port.ts';

export const serviceBalancing = (client: ElasticLoadBalancingV2Client) => ({
  ...serviceReads(client),
  ...serviceWrites(client),
});

export const serviceNetwork = (client: EC2Client): ServiceNetwork => {
  const { authorizeIngress, revokeIngress } = securityGroupWrites(client);
  return {
    ...subnetReads({ client }),
    ...routeTableReads({ client }),
    ...zoneReads(client),
    ...securityGroupReads({ client }),
    authorizeIngress,
    revokeIngress,
  };
};

/** The port over clients of EC2 and ELBv2. */
export const createBalancerPort = (scopeOf: ScopeOf): BalancerPort =>
  makeBalancerPort({
    scopeOf,
    balancing: makePerScope((options) => serviceBalancing(createElbv2Client(options))),
    network: makePerScope((options) => serviceNetwork(createEc2Client(options))),
    instances: makePerScope((options) => createNodeInstances(createEc2Client(options))),
  });
