import type { AWSClusterSpec } from '../../../kinds/aws-cluster/schema.ts';
import type { ClusterName } from '../tags.ts';

/** The input for the desired network. */
export interface DesiredInput {
  cluster: ClusterName;
  clusterUid: string;
  /** `spec.network.subnets` contains the layout: the user's, or the computed one. */
  spec: AWSClusterSpec;
  /** Cluster.spec.clusterNetwork.apiServerPort. */
  apiServerPort?: number;
  natIps: readonly string[];
  /** The region of the cluster, for the names of AWS's services. */
  region?: string;
}
