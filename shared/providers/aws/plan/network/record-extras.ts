import { canonicalCidr } from '../../../../cidr.ts';
import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import type { VpcSpec } from '../../../../kinds/schema/aws-network.ts';
import { carrierGatewayOf, egressOnlyGatewayOf } from './extra-gateways.ts';
import type { DesiredNetwork, ObservedNetwork, ObservedVpc } from './model.ts';
import { ipv6BlockOf } from './plan-vpc-blocks.ts';

/** Writes what only some networks have into an AWSCluster, in the fields in which upstream keeps it. */

/** The blocks that Amazon or a pool gave the VPC. */
export const withBlocks = (vpc: VpcSpec, observed: ObservedVpc): VpcSpec => {
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
export const withNumbers = (awsCluster: AWSCluster, observed: ObservedVpc): AWSCluster => {
  const { network = {} } = awsCluster.spec;
  return {
    ...awsCluster,
    spec: { ...awsCluster.spec, network: { ...network, vpc: withBlocks(network.vpc ?? {}, observed) } },
  };
};

/** The ids of gateways of other kinds. */
export const withGateways = (
  vpc: VpcSpec,
  situation: { desired: DesiredNetwork; observed: ObservedNetwork },
  vpcId: string,
): VpcSpec => {
  const egress = vpc.ipv6 && egressOnlyGatewayOf(situation, vpcId);
  const carrier = situation.desired.carrierGatewayTags && carrierGatewayOf(situation, vpcId);
  return {
    ...vpc,
    ...(egress ? { ipv6: { ...vpc.ipv6, egressOnlyInternetGatewayId: egress.id } } : {}),
    ...(carrier ? { carrierGatewayId: carrier.id } : {}),
  };
};

/** A subnet's IPv6, as EC2 has it. */
export const withIpv6 = (subnet: SubnetSpec, ipv6CidrBlock: string | undefined): SubnetSpec =>
  ipv6CidrBlock === undefined ? subnet : { ...subnet, isIpv6: true, ipv6CidrBlock };
