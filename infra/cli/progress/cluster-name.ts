/** Names a Cluster that is followed. */
export interface ClusterName {
  namespace: string;
  name: string;
}
