import type { SubnetSpec } from '../../../../kinds/index.ts';

/** A subnet's IPv6 settings in EC2. */
export const withIpv6 = (subnet: SubnetSpec, ipv6CidrBlock: string | undefined): SubnetSpec =>
  ipv6CidrBlock === undefined ? subnet : { ...subnet, isIpv6: true, ipv6CidrBlock };
