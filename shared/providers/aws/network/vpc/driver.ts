import type { Driver } from '../driver.ts';
import { vpcCache } from './cache.ts';
import { desiredVpc } from './desired.ts';
import type { SeenVpcs, VpcAction, VpcNumbers, WantedVpc } from './model.ts';
import { recordVpc } from './record.ts';

/** `with the range 10.0.0.0/16 and an IPv6 block of Amazon's`. */
const describeNumbers = ({ cidrBlock, ipamPool, ipv6 }: VpcNumbers): string => {
  const first = ipamPool ? `a /${ipamPool.netmaskLength} of IPAM pool ${ipamPool.id}` : `the range ${cidrBlock}`;
  if (ipv6 === undefined) return `with ${first}`;
  if (ipv6 === 'amazon') return `with ${first} and an IPv6 block of Amazon's`;
  const second = 'cidrBlock' in ipv6 ? ipv6.cidrBlock : `a /${ipv6.ipamPool.netmaskLength} of ${ipv6.ipamPool.id}`;
  return `with ${first} and ${second}`;
};

/**
 * The VPC is looked up first, created first and deleted last, so plan.ts, observe.ts and take-down.ts handle it by
 * name.
 */
export const vpc = {
  kind: 'vpc',
  condition: { type: 'VpcReady', failed: 'VpcReconciliationFailed', remaining: ({ vpcs }) => vpcs.length },
  desired: desiredVpc,
  ownPart: ({ vpcs }, { isInside }): SeenVpcs => ({ vpcs: vpcs.filter(({ id }) => isInside({ vpcId: id })) }),
  record: recordVpc,
  operations: {
    CreateVpc: {
      reason: 'CreateVPC',
      call: (ec2, { cidrBlock, ipamPool, ipv6, tags }) => ec2.createVpc({ cidrBlock, ipamPool, ipv6, tags }),
      tell: (action, id) => `Created VPC ${id} ${describeNumbers(action)}`,
      drift: 'Network',
    },
    SetVpcAttribute: {
      reason: 'SetVPCAttributes',
      call: (ec2, { vpcId, attribute }) => ec2.modifyVpcAttribute({ vpcId, attribute }),
      tell: ({ vpcId, attribute }) => `Switched on ${attribute} of VPC ${vpcId}`,
      drift: 'Network',
      drifted: ({ vpcId, attribute }) => `${attribute} of VPC ${vpcId} was switched off`,
    },
    DeleteVpc: {
      reason: 'DeleteVPC',
      call: (ec2, { vpcId }) => ec2.deleteVpc(vpcId),
      tell: ({ vpcId }) => `Deleted VPC ${vpcId}`,
      drift: 'Network',
    },
  },
  cache: vpcCache,
  rights: {
    reads: ['DescribeVpcs'],
    swept: ['DescribeVpcs'],
    creates: ['CreateVpc'],
    changes: ['ModifyVpcAttribute', 'DeleteVpc'],
    types: ['vpc'],
  },
} satisfies Driver<VpcAction, SeenVpcs, WantedVpc>;
