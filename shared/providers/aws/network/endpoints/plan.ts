import type { NetworkAction, NetworkPlan } from '../model.ts';
import { isDuplicate, NOTHING, ownIn, planTags } from '../parts.ts';
import { routeTableOf } from '../route-tables/routes.ts';
import { planCreation, type Situation } from '../situation.ts';
import { subnetIdOf } from '../subnets/find.ts';
import type { ObservedEndpoint } from './model.ts';

/** The route tables of all subnets; undefined until all of them exist. */
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

/** The gateway endpoint of S3 in all of the cluster's route tables. As in upstream, it exists if there is a bucket. */
export const planEndpoint = (situation: Situation, vpcId: string): NetworkPlan => {
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
