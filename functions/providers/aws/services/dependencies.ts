import type { RouteTableReads } from '../../../../shared/providers/aws/network/route-tables/api.ts';
import type {
  SecurityGroupReads,
  SecurityGroupWrites,
} from '../../../../shared/providers/aws/network/security-groups/api.ts';
import type { SubnetReads } from '../../../../shared/providers/aws/network/subnets/api.ts';
import type { ZoneReads } from '../../../../shared/providers/aws/network/zones/api.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { ClassicReads } from '../../../../shared/providers/aws/services/classic/reads-api.ts';
import type { ClassicWrites } from '../../../../shared/providers/aws/services/classic/writes-api.ts';
import type { NodeInstances } from '../../../../shared/providers/aws/services/instances-api.ts';
import type { ServiceReads } from '../../../../shared/providers/aws/services/reads-api.ts';
import type { ServiceWrites } from '../../../../shared/providers/aws/services/writes-api.ts';
import type { ScopeOf } from '../aws-scope.ts';

export interface ServiceNetwork
  extends SubnetReads,
    RouteTableReads,
    Pick<ZoneReads, 'describeZones'>,
    SecurityGroupReads,
    Pick<SecurityGroupWrites, 'authorizeIngress' | 'revokeIngress' | 'deleteSecurityGroup'> {}

/** Load balancers of both generations. */
export interface ServiceBalancing extends ServiceReads, ServiceWrites, ClassicReads, ClassicWrites {}

/** The dependencies of the load balancers of Services. */
export interface ServiceDependencies {
  scopeOf: ScopeOf;
  balancing: PerScope<ServiceBalancing>;
  network: PerScope<ServiceNetwork>;
  instances: PerScope<NodeInstances>;
}

/** The calls for the Services of one cluster. */
export interface ServiceCalls {
  balancing: ServiceBalancing;
  network: ServiceNetwork;
  instances: NodeInstances;
}
