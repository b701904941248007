import { INTENT_TAG, missingTags, type Tags } from '../tags.ts';
import { carrierGatewayOf, ownIn } from './extra-gateways.ts';
import type { NetworkAction, NetworkPlan } from './model.ts';
import type { ExtraKind, ObservedEndpoint } from './model-gateways.ts';
import { routeTableOf, subnetIdOf } from './route-tables/plan.ts';
import { mergePlans, planCreation, type Situation } from './situation.ts';

/** Gateways and endpoints that only some clusters have. Each is of one VPC from its creation on. */

const NOTHING: NetworkPlan = { actions: [], waiting: [] };

const planTags = (kind: ExtraKind, { id, tags }: { id: string; tags: Tags }, wanted: Tags): NetworkAction[] => {
  const missing = missingTags(wanted, tags);
  return Object.keys(missing).length > 0 ? [{ type: 'CreateTags', kind, resourceId: id, tags: missing }] : [];
};

const isDuplicate = ({ tags }: { tags: Tags }): boolean => tags[INTENT_TAG] !== undefined;

const planEgressOnlyGateway = (situation: Situation, vpcId: string): NetworkPlan => {
  const tags = situation.desired.egressOnlyGatewayTags;
  if (!tags) return NOTHING;
  const [first, ...others] = ownIn(situation, situation.observed.egressOnlyGateways, vpcId);
  if (!first) {
    const intent = 'egress-only-internet-gateway';
    return planCreation({ type: 'CreateEgressOnlyInternetGateway', intent, vpcId, tags }, situation);
  }
  const surplus = others.filter(isDuplicate).map(({ id }) => ({
    type: 'DeleteEgressOnlyInternetGateway' as const,
    gatewayId: id,
  }));
  return { actions: [...planTags('egressOnlyGateway', first, tags), ...surplus], waiting: [] };
};

const planCarrierGateway = (situation: Situation, vpcId: string): NetworkPlan => {
  const tags = situation.desired.carrierGatewayTags;
  if (!tags) return NOTHING;
  const found = carrierGatewayOf(situation, vpcId);
  if (!found) return planCreation({ type: 'CreateCarrierGateway', intent: 'carrier-gateway', vpcId, tags }, situation);
  return { actions: planTags('carrierGateway', found, tags), waiting: [] };
};

/** The route tables of all subnets, or undefined until there are as many as there should be. */
const allTables = (situation: Situation, vpcId: string): string[] | undefined => {
  const { desired, observed } = situation;
  const ids = desired.subnets.map(
    (subnet) => routeTableOf(observed.routeTables, subnetIdOf(situation, subnet, vpcId))?.id,
  );
  return ids.every((id) => id !== undefined) ? [...new Set(ids)].sort() : undefined;
};

const planServed = ({ id, routeTableIds }: ObservedEndpoint, tables: readonly string[]): NetworkAction[] => {
  const add = tables.filter((table) => !routeTableIds.includes(table));
  const remove = routeTableIds.filter((table) => !tables.includes(table));
  return add.length + remove.length > 0 ? [{ type: 'ModifyVpcEndpoint', endpointId: id, add, remove }] : [];
};

/** The gateway endpoint of S3 in all of the cluster's route tables. Upstream's rule: where there is a bucket. */
const planEndpoint = (situation: Situation, vpcId: string): NetworkPlan => {
  const { desired, observed } = situation;
  const tables = desired.endpoint && allTables(situation, vpcId);
  if (!desired.endpoint || !tables) return NOTHING;
  const { serviceName, tags } = desired.endpoint;
  const [first, ...others] = ownIn(
    situation,
    observed.endpoints?.filter((one) => one.serviceName === serviceName),
    vpcId,
  );
  if (!first) {
    const action = { type: 'CreateVpcEndpoint', intent: 'vpc-endpoint', vpcId, serviceName } as const;
    return planCreation({ ...action, routeTableIds: tables, tags }, situation);
  }
  const surplus = others.filter(isDuplicate).map(({ id }) => ({ type: 'DeleteVpcEndpoint' as const, endpointId: id }));
  return { actions: [...planTags('endpoint', first, tags), ...planServed(first, tables), ...surplus], waiting: [] };
};

/** The gateways and endpoints that this cluster has besides the internet gateway and the NAT gateways. */
export const planGateways = (situation: Situation, vpcId: string): NetworkPlan =>
  mergePlans([
    planEgressOnlyGateway(situation, vpcId),
    planCarrierGateway(situation, vpcId),
    planEndpoint(situation, vpcId),
  ]);
