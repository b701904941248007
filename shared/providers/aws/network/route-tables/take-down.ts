import { type ClusterName, isOwnedBy } from '../../tags.ts';
import type { Leaving, TakeDown } from '../driver.ts';
import { join } from '../parts.ts';
import type { ObservedRouteTable } from './model.ts';

const takeDownTable = (table: ObservedRouteTable, cluster: ClusterName): TakeDown => {
  const { id, associations, tags } = table;
  if (!isOwnedBy(cluster, tags)) {
    return { actions: [], blockers: [`route table ${id}, which does not belong to the cluster`] };
  }
  if (associations.length === 0) return { actions: [{ type: 'DeleteRouteTable', routeTableId: id }], blockers: [] };
  return {
    actions: associations.map((association) => ({ type: 'DisassociateRouteTable', associationId: association.id })),
    blockers: [],
  };
};

/** A table goes when no subnet is associated with it any more. The main one goes with its VPC. */
export const takeDownRouteTables = ({ cluster, observed }: Leaving): TakeDown =>
  join(observed.routeTables.filter(({ isMain }) => !isMain).map((table) => takeDownTable(table, cluster)));
