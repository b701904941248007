import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { BALANCER_ROLES, balancerRecordOf } from '../roles.ts';

type Family = 'ipv4' | 'ipv6';
type Ranges = Pick<SubnetSpec, 'cidrBlock' | 'isIpv6'>;

/** Whether instances in a subnet get addresses of a family. */
export const hasFamily =
  (family: Family) =>
  ({ cidrBlock, isIpv6 = false }: Ranges): boolean =>
    family === 'ipv6' ? isIpv6 : Boolean(cidrBlock);

const familiesOf = (awsCluster: AWSCluster): Family[] =>
  BALANCER_ROLES.flatMap((role) => balancerRecordOf(awsCluster, role)?.elbListeners ?? []).flatMap(
    ({ targetGroup: { ipType } }) => (ipType === 'ipv4' || ipType === 'ipv6' ? [ipType] : []),
  );

/**
 * Whether instances in a subnet can be targets of all recorded target groups of the API. In a VPC without IPv6 they
 * always can, even if the blocks of its subnets are not recorded.
 */
export const isReachedIn = (awsCluster: AWSCluster): ((subnet: Ranges) => boolean) => {
  const families = awsCluster.spec.network?.vpc?.ipv6 ? familiesOf(awsCluster) : [];
  return (subnet) => families.every((family) => hasFamily(family)(subnet));
};
