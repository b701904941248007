import { isOwnedBy, missingTags } from '../../tags.ts';
import type { DesiredNetwork, NetworkAction, NetworkPlan } from '../model.ts';
import { mergePlans, type Situation } from '../situation.ts';
import { planSubnetAttributes } from './attributes.ts';
import { hasSameBlock } from './kinds.ts';
import type { ObservedSubnet } from './model.ts';
import { changedSubnetProblem } from './problems.ts';

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

export const planSubnets = ({ desired, observed }: Situation, vpcId: string): NetworkPlan => {
  const problem = changedSubnetProblem(desired, observed.subnets, vpcId);
  if (problem) return { actions: [], waiting: [], problem };
  return mergePlans(
    desired.subnets.map((subnet) => {
      const found = observed.subnets.find((one) => one.vpcId === vpcId && hasSameBlock(subnet, one));
      return planSubnet(desired, subnet, vpcId, found);
    }),
  );
};
