import type { AWSCluster, NetworkSpec } from '../../../kinds/index.ts';
import type { VpcSpec } from '../../../kinds/schema/aws-network.ts';

/** Changes of the fields in which upstream records a network. All functions are pure. */

export const withNetworkSpec = (awsCluster: AWSCluster, change: (network: NetworkSpec) => NetworkSpec): AWSCluster => ({
  ...awsCluster,
  spec: { ...awsCluster.spec, network: change(awsCluster.spec.network ?? {}) },
});

/** The AWSCluster with a change of spec.network.vpc. */
export const withVpcSpec = (awsCluster: AWSCluster, change: (vpc: VpcSpec) => VpcSpec): AWSCluster =>
  withNetworkSpec(awsCluster, (network) => ({ ...network, vpc: change(network.vpc ?? {}) }));

/** The AWSCluster with additional fields in status.networkStatus. */
export const withNetworkStatus = (awsCluster: AWSCluster, more: object): AWSCluster => ({
  ...awsCluster,
  status: { ...awsCluster.status, networkStatus: { ...awsCluster.status?.networkStatus, ...more } },
});
