import type { NetworkPlan } from '../model.ts';
import type { Situation } from '../situation.ts';
import type { ObservedVpc } from '../vpc/model.ts';

/** The secondary blocks that the VPC lacks. One that the spec no longer names stays, as upstream. */
export const planSecondaryBlocks = ({ desired }: Pick<Situation, 'desired'>, vpc: ObservedVpc): NetworkPlan => {
  const { secondary = [] } = vpc;
  const lacking = desired.secondaryBlocks.filter((block) => !secondary.some(({ cidrBlock }) => cidrBlock === block));
  const late = secondary.filter((block) => !block.isAssociated && desired.secondaryBlocks.includes(block.cidrBlock));
  return {
    actions: lacking.map((cidrBlock) => ({ type: 'AssociateVpcBlock', vpcId: vpc.id, cidrBlock })),
    waiting: late.map(({ cidrBlock }) => `block ${cidrBlock} of the VPC`),
  };
};
