import { canonicalCidr } from '../../../../cidr.ts';
import type { AWSCluster } from '../../../../kinds/index.ts';
import type { VpcSpec } from '../../../../kinds/schema/aws-network.ts';
import type { Found } from '../driver.ts';
import { withNetworkSpec, withVpcSpec } from '../spec.ts';
import type { ObservedVpc } from './model.ts';
import { ipv6BlockOf } from './numbers.ts';

/** Records the VPC's id. Once set, it is kept: of two VPCs from two runs, the recorded one is used. */
export const withVpcId = (awsCluster: AWSCluster, id: string): AWSCluster | undefined =>
  awsCluster.spec.network?.vpc?.id
    ? undefined
    : withNetworkSpec(awsCluster, (network) => ({ ...network, vpc: { ...network.vpc, id } }));

/** The blocks that the VPC got from Amazon or a pool. */
const withBlocks = (vpc: VpcSpec, observed: ObservedVpc): VpcSpec => {
  const { ipv6, ipamPool, cidrBlock } = vpc;
  const block = ipv6 && ipv6BlockOf(observed, ipv6.cidrBlock && canonicalCidr(ipv6.cidrBlock));
  return {
    ...vpc,
    ...(ipamPool && !cidrBlock ? { cidrBlock: observed.cidrBlock } : {}),
    ...(block
      ? { ipv6: { ...ipv6, cidrBlock: block.cidrBlock, ...(block.poolId ? { poolId: block.poolId } : {}) } }
      : {}),
  };
};

/** The AWSCluster with the blocks of its VPC. */
export const withNumbers = (awsCluster: AWSCluster, observed: ObservedVpc): AWSCluster =>
  withVpcSpec(awsCluster, (vpc) => withBlocks(vpc, observed));

/** Records the VPC's id and blocks. As in upstream, the block in the spec is EC2's as soon as the VPC exists. */
export const recordVpc = (awsCluster: AWSCluster, { vpc }: Found): AWSCluster =>
  withVpcSpec(awsCluster, (spec) => ({ ...withBlocks(spec, vpc), id: vpc.id, cidrBlock: vpc.cidrBlock }));
