/** The name of a Cluster that is followed. */
export interface ClusterName {
  namespace: string;
  name: string;
  /** Whether it is created for a Cluster of clusterprovisioner.rke.io, which has the same name. */
  ofRancher?: boolean;
}
