import { addTo, changeIn } from '../cached-lists.ts';
import type { DriverCache } from '../driver.ts';
import type { ObservedRouteTable } from './model.ts';

const withRoute = (table: ObservedRouteTable, destination: string, target: string): ObservedRouteTable => ({
  ...table,
  routes: [
    ...table.routes.filter((route) => route.destination !== destination),
    { destination, target, isBlackhole: false },
  ],
});

export const routeTableCache: DriverCache = {
  reads: ['describeRouteTables'],
  invalidates: { replaceRoute: ['describeRouteTables'] },
  updates: {
    createRouteTable: (known, id, { vpcId, tags }) =>
      addTo(known, 'describeRouteTables', { id, vpcId, tags, isMain: false, routes: [], associations: [] }),
    associateRouteTable: (known, id, { routeTableId, subnetId }) =>
      changeIn(known, 'describeRouteTables', routeTableId, (table) => ({
        ...table,
        associations: [...table.associations.filter((one) => one.id !== id), { id, subnetId }],
      })),
    createRoute: (known, _, { routeTableId, destination, target }) =>
      changeIn(known, 'describeRouteTables', routeTableId, (table) => withRoute(table, destination, target)),
  },
};
