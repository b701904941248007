import { type ClusterName, isOwnedBy } from '../tags.ts';
import { type Intents, isFresh } from './intents.ts';
import type {
  NetworkAction,
  ObservedNatGateway,
  ObservedNetwork,
  ObservedNetworkInterface,
  ObservedRouteTable,
  ObservedSecurityGroup,
} from './model.ts';
import { ownPart } from './own-part.ts';
import { planExtrasDeletion, vpcsWithExtras } from './plan-extras-deletion.ts';
import { planUnsharing } from './users-vpc/shared-tags.ts';
import { isOwnVpc } from './vpc/choose.ts';

/**
 * Takes a network down from whatever state it is in. Each snapshot gives all that can go at once; what something else
 * still hangs on waits for the next one, and what is not ours to delete is named.
 */

export interface DeletionSituation {
  cluster: ClusterName;
  observed: ObservedNetwork;
  intents: Intents;
  now: Date;
}

export interface DeletionPlan {
  actions: readonly NetworkAction[];
  /** What stands in the way, by id, and what has to go by itself. */
  blockers: readonly string[];
  isDone: boolean;
}

type Part = Pick<DeletionPlan, 'actions' | 'blockers'>;

const isGone = ({ state }: ObservedNatGateway): boolean => state === 'deleted' || state === 'failed';

const describeInterface = ({ id, description, instanceId }: ObservedNetworkInterface): string => {
  const user = instanceId ? `instance ${instanceId}` : description || 'unknown user';
  return `network interface ${id} (${user})`;
};

const planBastions = ({ observed: { bastions = [] } }: DeletionSituation): Part => ({
  actions: bastions
    .filter(({ state }) => state !== 'shutting-down')
    .map(({ id }) => ({ type: 'TerminateBastion', instanceId: id })),
  blockers: bastions.map(({ id }) => `bastion ${id}, which is going`),
});

const planNatGateways = ({ cluster, observed }: DeletionSituation): Part => {
  const remaining = observed.natGateways.filter((gateway) => !isGone(gateway));
  const deletable = remaining.filter(({ state, tags }) => state !== 'deleting' && isOwnedBy(cluster, tags));
  const foreign = remaining.filter(({ tags }) => !isOwnedBy(cluster, tags));
  const deleting = remaining.filter(({ state, tags }) => state === 'deleting' && isOwnedBy(cluster, tags));
  return {
    actions: deletable.map(({ id }) => ({ type: 'DeleteNatGateway', natGatewayId: id })),
    blockers: [
      ...foreign.map(({ id }) => `NAT gateway ${id}, which does not belong to the cluster`),
      ...deleting.map(({ id }) => `NAT gateway ${id}, which is being deleted`),
    ],
  };
};

const planAddresses = ({ cluster, observed }: DeletionSituation): Part => {
  const used = new Set(observed.natGateways.filter((one) => !isGone(one)).map(({ allocationId }) => allocationId));
  const owned = observed.addresses.filter(({ tags }) => isOwnedBy(cluster, tags));
  const free = owned.filter(({ isAssociated, allocationId }) => !isAssociated && !used.has(allocationId));
  return {
    actions: free.map(({ allocationId }) => ({ type: 'ReleaseAddress', allocationId })),
    blockers: owned
      .filter((address) => !free.includes(address))
      .map(({ allocationId, publicIp }) => `address ${allocationId} (${publicIp}), which is in use`),
  };
};

const planInternetGateways = ({ cluster, observed }: DeletionSituation): Part => {
  // EC2 detaches no gateway while an address of the VPC is mapped through it.
  const mapped = new Set(observed.natGateways.filter((one) => !isGone(one)).map(({ vpcId }) => vpcId));
  const vpcIds = new Set(observed.vpcs.map(({ id }) => id));
  const parts = observed.internetGateways.flatMap(({ id, vpcId, tags }): Part[] => {
    const isOwned = isOwnedBy(cluster, tags);
    if (vpcId === undefined) {
      return isOwned ? [{ actions: [{ type: 'DeleteInternetGateway', internetGatewayId: id }], blockers: [] }] : [];
    }
    if (!vpcIds.has(vpcId)) return [];
    if (!isOwned) {
      return [{ actions: [], blockers: [`internet gateway ${id}, which does not belong to the cluster`] }];
    }
    if (mapped.has(vpcId)) return [];
    return [{ actions: [{ type: 'DetachInternetGateway', internetGatewayId: id, vpcId }], blockers: [] }];
  });
  return join(parts);
};

const planRouteTable = (table: ObservedRouteTable, cluster: ClusterName): Part => {
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

const planSecurityGroup = (
  group: ObservedSecurityGroup,
  { cluster, observed }: DeletionSituation,
  all: readonly ObservedSecurityGroup[],
): Part => {
  if (!isOwnedBy(cluster, group.tags)) {
    return {
      actions: [],
      blockers: [`security group ${group.id} (${group.name}), which does not belong to the cluster`],
    };
  }
  // Groups that name each other cannot be deleted in any order: the rules go first.
  const permissions = group.ingress.filter(({ source }) => source.startsWith('sg-'));
  const { egressGroupIds } = group;
  const rules: NetworkAction[] = [
    ...(permissions.length > 0 ? [{ type: 'RevokeIngress' as const, groupId: group.id, permissions }] : []),
    ...(egressGroupIds.length > 0
      ? [{ type: 'RevokeEgressToGroups' as const, groupId: group.id, groupIds: egressGroupIds }]
      : []),
  ];
  if (rules.length > 0) return { actions: rules, blockers: [] };
  const naming = all.filter(
    (other) => other.ingress.some(({ source }) => source === group.id) || other.egressGroupIds.includes(group.id),
  );
  const isUsed = observed.networkInterfaces.some(({ groupIds }) => groupIds.includes(group.id));
  return {
    actions: naming.length > 0 || isUsed ? [] : [{ type: 'DeleteSecurityGroup', groupId: group.id }],
    blockers: naming
      .filter(({ tags }) => !isOwnedBy(cluster, tags))
      .map((other) => `security group ${other.id} (${other.name}), a rule of which names ${group.id}`),
  };
};

const planSubnets = ({ cluster, observed }: DeletionSituation): Part =>
  join(
    observed.subnets.map(({ id, tags }): Part => {
      if (!isOwnedBy(cluster, tags)) {
        return { actions: [], blockers: [`subnet ${id}, which does not belong to the cluster`] };
      }
      const isUsed =
        observed.networkInterfaces.some(({ subnetId }) => subnetId === id) ||
        observed.natGateways.some((gateway) => gateway.subnetId === id && !isGone(gateway));
      return { actions: isUsed ? [] : [{ type: 'DeleteSubnet', subnetId: id }], blockers: [] };
    }),
  );

const join = (parts: readonly Part[]): Part => ({
  actions: parts.flatMap(({ actions }) => actions),
  blockers: parts.flatMap(({ blockers }) => blockers),
});

/** VPCs in which nothing is left but what comes and goes with them. */
const planVpcs = ({ observed }: DeletionSituation): NetworkAction[] => {
  const inhabited = new Set([
    ...vpcsWithExtras(observed),
    ...observed.subnets.map(({ vpcId }) => vpcId),
    ...observed.internetGateways.map(({ vpcId }) => vpcId),
    ...observed.routeTables.filter(({ isMain }) => !isMain).map(({ vpcId }) => vpcId),
    ...observed.securityGroups.filter(({ name }) => name !== 'default').map(({ vpcId }) => vpcId),
    ...observed.networkInterfaces.map(({ vpcId }) => vpcId),
    ...observed.natGateways.filter((gateway) => !isGone(gateway)).map(({ vpcId }) => vpcId),
  ]);
  return observed.vpcs.filter(({ id }) => !inhabited.has(id)).map(({ id }) => ({ type: 'DeleteVpc', vpcId: id }));
};

/** Tags that we set on what is the user's. Who may not take them away is told by the event, and is not kept waiting. */
const planTags = ({ cluster, observed }: DeletionSituation): readonly NetworkAction[] => {
  const strangers = observed.vpcs.filter((vpc) => !isOwnVpc(cluster, vpc)).map(({ id }) => id);
  return planUnsharing(
    cluster,
    observed.subnets.filter(({ vpcId }) => strangers.includes(vpcId)),
  );
};

/**
 * What can be deleted now: what carries the cluster's tag, and nothing else. A VPC that the user brought loses our
 * security groups and tags. A creation whose intent is fresh may still surface, so the end waits for it.
 */
export const planDeletion = (whole: DeletionSituation): DeletionPlan => {
  const { cluster, intents, now } = whole;
  const observed = ownPart(cluster, whole.observed);
  const situation = { ...whole, observed };
  const tables = observed.routeTables.filter(({ isMain }) => !isMain);
  const groups = observed.securityGroups.filter(({ name }) => name !== 'default');
  const { actions, blockers } = join([
    planBastions(situation),
    planNatGateways(situation),
    planAddresses(situation),
    planInternetGateways(situation),
    ...tables.map((table) => planRouteTable(table, cluster)),
    ...groups.map((group) => planSecurityGroup(group, situation, whole.observed.securityGroups)),
    planSubnets(situation),
    ...planExtrasDeletion(cluster, observed),
  ]);
  const all = [...actions, ...planVpcs(situation)];
  const fresh = Object.keys(intents).filter((key) => isFresh(intents[key], now));
  const waiting = fresh.map((key) => `${key}, which was asked for a moment ago and may still appear`);
  const interfaces = observed.networkInterfaces.map(describeInterface);
  const isEmpty = observed.vpcs.length + groups.length + all.length + blockers.length === 0;
  return {
    actions: [...all, ...planTags(whole)],
    blockers: [...blockers, ...interfaces, ...waiting],
    isDone: isEmpty && fresh.length === 0,
  };
};
