import { INTENT_TAG, isOwnedBy, missingTags } from '../../tags.ts';
import { carrierGatewayOf } from '../carrier-gateway/plan.ts';
import { egressOnlyGatewayOf } from '../egress-only-gateway/plan.ts';
import type { NetworkAction, NetworkPlan } from '../model.ts';
import { mergePlans, planCreation, type Situation } from '../situation.ts';
import { subnetIdOf } from '../subnets/find.ts';
import type { DesiredSubnet } from '../subnets/model.ts';
import { byAge } from '../vpc/choose.ts';
import type { ObservedRouteTable } from './model.ts';
import { ANYWHERE6, planDefaultRoute, planIpv6Route, routeTableOf } from './routes.ts';

/** The routes that do not lead to NAT gateways. */
const planWaysOut = (situation: Situation, subnet: DesiredSubnet, table: ObservedRouteTable): NetworkAction[] => {
  const { vpcId } = table;
  const hasIpv6 = subnet.ipv6CidrBlock !== undefined;
  if (!subnet.isPublic) {
    const egress = hasIpv6 ? egressOnlyGatewayOf(situation, vpcId) : undefined;
    return egress ? planIpv6Route(table, ANYWHERE6, egress.id) : [];
  }
  const isCarriers = subnet.zoneType === 'wavelength-zone';
  const internet = situation.observed.internetGateways.find((one) => one.vpcId === vpcId);
  const gateway = isCarriers ? carrierGatewayOf(situation, vpcId) : internet;
  if (!gateway) return [];
  return [...planDefaultRoute(table, gateway.id), ...(hasIpv6 ? planIpv6Route(table, ANYWHERE6, gateway.id) : [])];
};

const planTable = (
  situation: Situation,
  subnet: DesiredSubnet,
  vpcId: string,
  loose: ObservedRouteTable[],
): NetworkPlan => {
  const { observed } = situation;
  const subnetId = subnetIdOf(situation, subnet, vpcId);
  const used = routeTableOf(observed.routeTables, subnetId);
  const index = loose.findIndex(({ tags }) => tags.Name === subnet.routeTableTags.Name);
  // Removed from the list, so that two subnets of a zone do not get the same table.
  const table = used ?? (index >= 0 ? loose.splice(index, 1)[0] : undefined);
  if (!table) {
    const intent = `route-table-${subnet.key}`;
    return planCreation({ type: 'CreateRouteTable', intent, vpcId, tags: subnet.routeTableTags }, situation);
  }

  const actions: NetworkAction[] = [];
  const missing = missingTags(subnet.routeTableTags, table.tags);
  if (Object.keys(missing).length > 0) {
    actions.push({ type: 'CreateTags', kind: 'routeTable', resourceId: table.id, tags: missing });
  }
  actions.push(...planWaysOut(situation, subnet, table));
  if (!used && subnetId) actions.push({ type: 'AssociateRouteTable', routeTableId: table.id, subnetId });
  return { actions, waiting: [] };
};

/**
 * A route table for each subnet, associated with it; those of public subnets have a route to the internet gateway. The
 * default routes of private ones are added with the NAT gateways. Other tables of ours are duplicates and are deleted.
 */
export const planRouteTables = (situation: Situation, vpcId: string): NetworkPlan => {
  const { desired, observed } = situation;
  const loose = observed.routeTables
    .filter((table) => table.vpcId === vpcId && !table.isMain && table.associations.length === 0)
    .filter(({ tags }) => isOwnedBy(desired.cluster, tags))
    .sort(byAge);
  const plan = mergePlans(desired.subnets.map((subnet) => planTable(situation, subnet, vpcId, loose)));
  if (plan.actions.length > 0 || plan.waiting.length > 0) return plan;
  const duplicates = loose.filter(({ tags }) => tags[INTENT_TAG] !== undefined);
  return { actions: duplicates.map(({ id }) => ({ type: 'DeleteRouteTable', routeTableId: id })), waiting: [] };
};
