/** Names a Cluster that is followed. */
export interface ClusterName {
  namespace: string;
  name: string;
  /** Whether it is made for a Cluster of clusterprovisioner.rke.io, which has the same name. */
  ofRancher?: boolean;
}
