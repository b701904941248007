import type { EC2Client } from '@aws-sdk/client-ec2';
import { createEc2Client } from '../../../../shared/aws/clients/ec2.ts';
import { routeTableReads } from '../../../../shared/providers/aws/network/route-tables/api.ts';
import { routeWrites } from '../../../../shared/providers/aws/routes/api.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { createNodeInstances } from '../../../../shared/providers/aws/services/instances-api.ts';
import type { RoutePort } from '../../ports.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { RouteCalls } from './dependencies.ts';
import { makeRoutePort } from './port.ts';

export const routeCalls = (client: EC2Client): RouteCalls => ({
  ...routeTableReads({ client }),
  ...routeWrites(client),
  knownInstances: createNodeInstances(client).knownInstances,
});

/** The port with an EC2 client. */
export const createRoutePort = (scopeOf: ScopeOf): RoutePort =>
  makeRoutePort({ scopeOf, ec2: makePerScope((options) => routeCalls(createEc2Client(options))) });
