import type { AWSCluster } from '../../../../kinds/index.ts';
import type { Found } from '../driver.ts';
import type { ObservedNetwork } from '../model.ts';
import { withNetworkStatus } from '../spec.ts';
import { discoverSubnets, unmanagedNatIps } from '../users-vpc/discover.ts';
import { isLive } from './plan.ts';

/** Public addresses of existing NAT gateways, sorted. One that is being created may not show its address yet. */
export const liveNatIps = ({ natGateways, addresses }: ObservedNetwork): string[] =>
  natGateways
    .filter(isLive)
    .flatMap(({ publicIp, allocationId }) => {
      const address = addresses.find((one) => one.allocationId === allocationId);
      return publicIp ?? address?.publicIp ?? [];
    })
    .sort();

/** The addresses from which the cluster's machines connect to the internet. */
export const recordNatGateways = (awsCluster: AWSCluster, { desired, observed, vpc, isOwn }: Found): AWSCluster => {
  const ips = isOwn ? liveNatIps(observed) : unmanagedNatIps(discoverSubnets(desired, observed, vpc.id), observed);
  return ips.length > 0 ? withNetworkStatus(awsCluster, { natGatewaysIPs: ips }) : awsCluster;
};
