import type { AWSClusterSpec } from '../../../kinds/aws-cluster/schema.ts';
import type { ClusterName } from '../tags.ts';

/** What a network is wanted for. */
export interface DesiredInput {
  cluster: ClusterName;
  clusterUid: string;
  /** `spec.network.subnets` holds the layout: the user's, or the one that was made for it. */
  spec: AWSClusterSpec;
  /** Cluster.spec.clusterNetwork.apiServerPort. */
  apiServerPort?: number;
  natIps: readonly string[];
  /** Where the cluster is, for the names of AWS's services. */
  region?: string;
}
