/** What uses a network: these are never created here, and they block the deletion of subnets and groups. */

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
