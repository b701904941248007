/** What uses a network: nobody makes them here, and they keep subnets and groups from being deleted. */

export interface ObservedNetworkInterface {
  id: string;
  vpcId: string;
  subnetId: string;
  description: string;
  groupIds: readonly string[];
  /** The instance that it is attached to. */
  instanceId?: string;
}

export interface SeenNetworkInterfaces {
  /** Read for deletion only. */
  networkInterfaces: readonly ObservedNetworkInterface[];
}
