import type { Driver } from '../driver.ts';
import type { NetworkCondition } from '../model.ts';
import { inside } from '../observing.ts';
import { vpcsOf } from '../parts.ts';
import { routeTableCache } from './cache.ts';
import type { ObservedRouteTable, RouteTableAction, SeenRouteTables } from './model.ts';
import { planRouteTables } from './plan.ts';
import { DEFAULT_ROUTE } from './routes.ts';
import { takeDownRouteTables } from './take-down.ts';

/** Routes to NAT gateways belong to the condition of these, and are made in the same step. */
const conditionOf = ({ target }: Extract<RouteTableAction, { target: string }>): NetworkCondition =>
  target.startsWith('nat-') ? 'NatGatewaysReady' : 'RouteTablesReady';

const madeTables = (observed: SeenRouteTables): ObservedRouteTable[] =>
  observed.routeTables.filter(({ isMain }) => !isMain);

export const routeTables = {
  kind: 'routeTable',
  condition: {
    type: 'RouteTablesReady',
    failed: 'RouteTableReconciliationFailed',
    remaining: (observed) => madeTables(observed).length,
  },
  step: 'network',
  observe: {
    stage: 'first',
    look: async (ec2, view): Promise<SeenRouteTables> => ({
      routeTables: await inside(view, ec2.describeRouteTables),
    }),
  },
  ownPart: (observed, { isInside }): SeenRouteTables => ({ routeTables: observed.routeTables.filter(isInside) }),
  plan: planRouteTables,
  takeDown: takeDownRouteTables,
  inhabits: (observed) => vpcsOf(madeTables(observed)),
  operations: {
    CreateRouteTable: {
      reason: 'CreateRouteTable',
      call: (ec2, { vpcId, tags }) => ec2.createRouteTable({ vpcId, tags }),
      tell: ({ tags }, id) => `Created route table ${id} (${tags.Name ?? ''})`,
      drift: 'Route',
    },
    AssociateRouteTable: {
      reason: 'AssociateRouteTable',
      call: (ec2, { routeTableId, subnetId }) => ec2.associateRouteTable({ routeTableId, subnetId }),
      tell: ({ routeTableId, subnetId }) => `Associated route table ${routeTableId} with subnet ${subnetId}`,
      drift: 'Route',
      drifted: ({ routeTableId, subnetId }) => `subnet ${subnetId} does not have route table ${routeTableId}`,
    },
    SetDefaultRoute: {
      reason: 'CreateRoute',
      call: (ec2, { routeTableId, target, replaces }) => {
        const route = { routeTableId, destination: DEFAULT_ROUTE, target };
        return replaces ? ec2.replaceRoute(route) : ec2.createRoute(route);
      },
      tell: ({ routeTableId, target }) => `The default route of route table ${routeTableId} leads to ${target}`,
      drift: 'Route',
      drifted: ({ routeTableId, target }) =>
        `the default route of route table ${routeTableId} does not lead to ${target}`,
      conditionOf,
    },
    SetIpv6Route: {
      reason: 'CreateRoute',
      call: (ec2, { routeTableId, destination, target, replaces }) =>
        replaces
          ? ec2.replaceRoute({ routeTableId, destination, target })
          : ec2.createRoute({ routeTableId, destination, target }),
      tell: ({ routeTableId, destination, target }) =>
        `The route for ${destination} of route table ${routeTableId} leads to ${target}`,
      drift: 'Route',
      drifted: ({ routeTableId, destination, target }) =>
        `the route for ${destination} of route table ${routeTableId} does not lead to ${target}`,
      conditionOf,
    },
    DisassociateRouteTable: {
      reason: 'DisassociateRouteTable',
      call: (ec2, { associationId }) => ec2.disassociateRouteTable(associationId),
      tell: ({ associationId }) => `Removed route table association ${associationId}`,
      drift: 'Route',
    },
    DeleteRouteTable: {
      reason: 'DeleteRouteTable',
      call: (ec2, { routeTableId }) => ec2.deleteRouteTable(routeTableId),
      tell: ({ routeTableId }) => `Deleted route table ${routeTableId}`,
      drift: 'Route',
    },
  },
  cache: routeTableCache,
  rights: {
    reads: ['DescribeRouteTables'],
    swept: ['DescribeRouteTables'],
    creates: ['CreateRouteTable'],
    changes: ['CreateRoute', 'ReplaceRoute', 'AssociateRouteTable', 'DisassociateRouteTable', 'DeleteRouteTable'],
    types: ['route-table'],
    refersTo: { CreateRouteTable: ['vpc'] },
  },
} satisfies Driver<RouteTableAction, SeenRouteTables>;
