import type { DesiredNetwork, NetworkPlan } from '../model.ts';
import type { Situation } from '../situation.ts';
import type { ObservedVpc } from '../vpc/model.ts';

/** The blocks of the spec that the VPC does not have. */
export const lackingBlocks = (
  { secondaryBlocks }: Pick<DesiredNetwork, 'secondaryBlocks'>,
  { cidrBlock: first, secondary = [] }: ObservedVpc,
): string[] => {
  const there = new Set([first, ...secondary.map(({ cidrBlock }) => cidrBlock)]);
  return secondaryBlocks.filter((block) => !there.has(block));
};

/** The secondary blocks that the VPC lacks. As in upstream, one that the spec no longer contains is kept. */
export const planSecondaryBlocks = ({ desired }: Pick<Situation, 'desired'>, vpc: ObservedVpc): NetworkPlan => {
  const { secondary = [] } = vpc;
  const late = secondary.filter((block) => !block.isAssociated && desired.secondaryBlocks.includes(block.cidrBlock));
  return {
    actions: lackingBlocks(desired, vpc).map((cidrBlock) => ({ type: 'AssociateVpcBlock', vpcId: vpc.id, cidrBlock })),
    waiting: late.map(({ cidrBlock }) => `block ${cidrBlock} of the VPC`),
  };
};
