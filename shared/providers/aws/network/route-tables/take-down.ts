import { type ClusterName, isOwnedBy } from '../../tags.ts';
import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';
import { join } from '../parts.ts';
import type { ObservedRouteTable } from './model.ts';

const takeDownTable = (table: ObservedRouteTable, cluster: ClusterName): TakeDownPlan => {
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

/** A table is deleted when no subnet is associated with it any more. The main one is deleted with its VPC. */
export const takeDownRouteTables = ({ cluster, observed }: TakeDownSituation): TakeDownPlan =>
  join(observed.routeTables.filter(({ isMain }) => !isMain).map((table) => takeDownTable(table, cluster)));
