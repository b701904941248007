import { INTENT_TAG, isOwnedBy, missingTags } from '../tags.ts';
import { isFresh } from './intents.ts';
import type {
  DesiredNetwork,
  NetworkAction,
  NetworkPlan,
  NetworkProblem,
  ObservedInternetGateway,
  ObservedSubnet,
  ObservedVpc,
} from './model.ts';
import { planGateways } from './plan-gateways.ts';
import { planSubnetAttributes } from './plan-ipv6.ts';
import { planRouteTables } from './route-tables/plan.ts';
import { planDefaultGroup } from './security-groups/default-group.ts';
import { overrideProblem } from './security-groups/overrides.ts';
import { planSecurityGroups } from './security-groups/plan.ts';
import { ruleSourceProblem } from './security-groups/rule-sources.ts';
import { mergePlans, planCreation, type Situation } from './situation.ts';
import { hasSameBlock } from './subnets/kinds.ts';
import { managedSubnetProblem } from './subnets/problems.ts';
import { planUnmanaged } from './users-vpc/plan.ts';
import { byAge, chooseVpc, type VpcChoice } from './vpc/choose.ts';
import { planIpv6Block, planSecondaryBlocks, planVpcCreation } from './vpc/numbers.ts';

const planVpcSettings = ({ desired }: Situation, vpc: ObservedVpc, duplicates: readonly ObservedVpc[]): NetworkPlan => {
  const tags = missingTags(desired.vpc.tags, vpc.tags);
  const actions: NetworkAction[] = [
    ...(Object.keys(tags).length > 0
      ? [{ type: 'CreateTags' as const, kind: 'vpc' as const, resourceId: vpc.id, tags }]
      : []),
    ...(vpc.dnsSupport === false
      ? [{ type: 'SetVpcAttribute' as const, vpcId: vpc.id, attribute: 'EnableDnsSupport' as const }]
      : []),
    ...(vpc.dnsHostnames === false
      ? [{ type: 'SetVpcAttribute' as const, vpcId: vpc.id, attribute: 'EnableDnsHostnames' as const }]
      : []),
    ...duplicates.map(({ id }) => ({ type: 'DeleteVpc' as const, vpcId: id })),
  ];
  return { actions, waiting: [] };
};

const planSubnet = (
  { cluster }: DesiredNetwork,
  subnet: DesiredNetwork['subnets'][number],
  vpcId: string,
  found: ObservedSubnet | undefined,
): NetworkPlan => {
  const { zone, cidrBlock, ipv6CidrBlock, tags } = subnet;
  if (!found) {
    const ipv6 = ipv6CidrBlock ? { ipv6CidrBlock } : {};
    return { actions: [{ type: 'CreateSubnet', vpcId, zone, cidrBlock, ...ipv6, tags }], waiting: [] };
  }
  if (!isOwnedBy(cluster, found.tags)) {
    const message = `the range ${cidrBlock || ipv6CidrBlock} is taken by subnet ${found.id}, which does not belong to the cluster`;
    return { actions: [], waiting: [], problem: { condition: 'SubnetsReady', message } };
  }
  const missing = missingTags(tags, found.tags);
  const actions: NetworkAction[] = [];
  if (Object.keys(missing).length > 0) {
    actions.push({ type: 'CreateTags', kind: 'subnet', resourceId: found.id, tags: missing });
  }
  return { actions: [...actions, ...planSubnetAttributes(subnet, found)], waiting: [] };
};

const planSubnets = ({ desired, observed }: Situation, vpcId: string): NetworkPlan =>
  mergePlans(
    desired.subnets.map((subnet) => {
      const found = observed.subnets.find((one) => one.vpcId === vpcId && hasSameBlock(subnet, one));
      return planSubnet(desired, subnet, vpcId, found);
    }),
  );

/** Internet gateways of ours that are attached nowhere, oldest first. */
const looseGateways = ({ desired, observed }: Situation): ObservedInternetGateway[] =>
  observed.internetGateways
    .filter(({ vpcId, tags }) => vpcId === undefined && isOwnedBy(desired.cluster, tags))
    .sort(byAge);

const planInternetGateway = (situation: Situation, vpcId: string | undefined): NetworkPlan => {
  const { desired, observed } = situation;
  if (!desired.subnets.some(({ isPublic }) => isPublic)) return { actions: [], waiting: [] };
  const loose = looseGateways(situation);
  if (vpcId !== undefined && observed.internetGateways.some((gateway) => gateway.vpcId === vpcId)) {
    const duplicates = loose.filter(({ tags }) => tags[INTENT_TAG] !== undefined);
    return {
      actions: duplicates.map(({ id }) => ({ type: 'DeleteInternetGateway', internetGatewayId: id })),
      waiting: [],
    };
  }
  const [oldest] = loose;
  if (!oldest) {
    const action = {
      type: 'CreateInternetGateway',
      intent: 'internet-gateway',
      tags: desired.internetGatewayTags,
    } as const;
    return planCreation(action, situation);
  }
  if (vpcId === undefined) return { actions: [], waiting: [] };
  return { actions: [{ type: 'AttachInternetGateway', internetGatewayId: oldest.id, vpcId }], waiting: [] };
};

const isAtRest = ({ actions, waiting, problem }: NetworkPlan): boolean =>
  actions.length === 0 && waiting.length === 0 && problem === undefined;

/** What the spec says and cannot be, before anything is made. */
const problemOf = ({ desired, observed }: Situation, choice: VpcChoice): NetworkProblem | undefined => {
  const subnets = choice.state === 'unmanaged' ? undefined : managedSubnetProblem(desired, choice.state !== 'absent');
  const roles = desired.securityGroups.map(({ role }) => role);
  return (
    subnets ?? overrideProblem(desired, observed, choice) ?? ruleSourceProblem(desired.ruleSources, roles, observed)
  );
};

/**
 * What is to be done now for the VPC, its subnets, internet gateway, route tables and security groups. Called again on
 * each new snapshot until it has nothing more to say. NAT gateways have a plan of their own (plan-nat-gateways.ts).
 */
export const planNetwork = (situation: Situation): NetworkPlan => {
  const { desired, observed, intents, now } = situation;
  const choice = chooseVpc(desired, observed.vpcs);
  const problem = choice.state === 'missing' ? undefined : problemOf(situation, choice);
  if (problem) return { actions: [], waiting: [], problem };
  switch (choice.state) {
    case 'unmanaged':
      return planUnmanaged(situation, choice.vpc);
    case 'missing':
      if (isFresh(intents.vpc, now)) return { actions: [], waiting: ['vpc'] };
      return {
        actions: [],
        waiting: [],
        problem: {
          condition: 'VpcReady',
          message: `VPC ${choice.id}, which spec.network.vpc.id names, does not exist`,
        },
      };
    case 'absent': {
      return mergePlans([planVpcCreation(situation), planInternetGateway(situation, undefined)]);
    }
    case 'ours': {
      const settings = planVpcSettings(situation, choice.vpc, choice.duplicates);
      const blocks = mergePlans([planIpv6Block(situation, choice.vpc), planSecondaryBlocks(situation, choice.vpc)]);
      // Subnets lie in the blocks.
      if (!isAtRest(blocks)) return mergePlans([settings, blocks]);
      return mergePlans([
        settings,
        planSubnets(situation, choice.vpc.id),
        planInternetGateway(situation, choice.vpc.id),
        planGateways(situation, choice.vpc.id),
        planRouteTables(situation, choice.vpc.id),
        planDefaultGroup(situation, choice.vpc.id),
        planSecurityGroups(situation, choice.vpc.id),
      ]);
    }
  }
};
