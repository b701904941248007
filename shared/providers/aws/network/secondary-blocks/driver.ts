import { canonicalCidr } from '../../../../cidr.ts';
import type { Driver } from '../driver.ts';
import type { SecondaryBlockAction, WantedSecondaryBlocks } from './model.ts';
import { takeDownSecondaryBlocks } from './take-down.ts';

/** Subnets lie in the blocks, so plan.ts creates the blocks before everything else in the VPC. */
export const secondaryBlocks = {
  condition: {
    type: 'SecondaryCidrsReady',
    failed: 'SecondaryCidrReconciliationFailed',
    isAskedFor: (desired) => desired.secondaryBlocks.length > 0,
    remaining: ({ vpcs }) => vpcs.flatMap(({ secondary = [] }) => secondary).length || undefined,
  },
  desired: ({ spec }): WantedSecondaryBlocks => ({
    secondaryBlocks: (spec.network?.vpc?.secondaryCidrBlocks ?? []).map(({ ipv4CidrBlock }) =>
      canonicalCidr(ipv4CidrBlock),
    ),
  }),
  takeDown: takeDownSecondaryBlocks,
  inhabits: ({ vpcs }) => vpcs.flatMap(({ id, secondary = [] }) => (secondary.length > 0 ? [id] : [])),
  operations: {
    AssociateVpcBlock: {
      reason: 'AssociateSecondaryCidr',
      call: (ec2, { vpcId, cidrBlock }) => ec2.associateVpcBlock({ vpcId, cidrBlock }),
      tell: ({ vpcId, cidrBlock }) => `Associated the block ${cidrBlock} with VPC ${vpcId}`,
      drift: 'Network',
    },
    DisassociateVpcBlock: {
      reason: 'DisassociateSecondaryCidr',
      call: (ec2, { associationId }) => ec2.disassociateVpcBlock(associationId),
      tell: ({ vpcId, cidrBlock }) => `Disassociated the block ${cidrBlock} from VPC ${vpcId}`,
      drift: 'Network',
    },
  },
  rights: { changes: ['AssociateVpcCidrBlock', 'DisassociateVpcCidrBlock'] },
} satisfies Driver<SecondaryBlockAction, object, WantedSecondaryBlocks>;
