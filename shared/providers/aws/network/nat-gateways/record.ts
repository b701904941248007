import type { AWSCluster } from '../../../../kinds/index.ts';
import type { Found } from '../driver.ts';
import type { ObservedNetwork } from '../model.ts';
import { withNetworkStatus } from '../spec.ts';
import { discoverSubnets, unmanagedNatIps } from '../users-vpc/discover.ts';
import { isLive } from './plan.ts';

/** Public addresses of the NAT gateways that exist, sorted. One that is being made may not show its own yet. */
export const liveNatIps = ({ natGateways, addresses }: ObservedNetwork): string[] =>
  natGateways
    .filter(isLive)
    .flatMap(({ publicIp, allocationId }) => {
      const address = addresses.find((one) => one.allocationId === allocationId);
      return publicIp ?? address?.publicIp ?? [];
    })
    .sort();

/** The addresses by which the cluster's machines are seen outside. */
export const recordNatGateways = (awsCluster: AWSCluster, { desired, observed, vpc, isOwn }: Found): AWSCluster => {
  const ips = isOwn ? liveNatIps(observed) : unmanagedNatIps(discoverSubnets(desired, observed, vpc.id), observed);
  return ips.length > 0 ? withNetworkStatus(awsCluster, { natGatewaysIPs: ips }) : awsCluster;
};
