import type { RouteTableReads } from '../../../../shared/providers/aws/network/route-tables/api.ts';
import type { RouteWrites } from '../../../../shared/providers/aws/routes/api.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { NodeInstances } from '../../../../shared/providers/aws/services/instances-api.ts';
import type { ScopeOf } from '../aws-scope.ts';

/** The calls to EC2 for the routes of a cluster. */
export interface RouteCalls extends RouteTableReads, RouteWrites, Pick<NodeInstances, 'knownInstances'> {}

/** The dependencies of routes to pods. */
export interface RouteDependencies {
  scopeOf: ScopeOf;
  ec2: PerScope<RouteCalls>;
}
