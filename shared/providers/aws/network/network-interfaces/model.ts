/** Users of a network. They are never created here, and they block the deletion of subnets and groups. */

export interface ObservedNetworkInterface {
  id: string;
  vpcId: string;
  subnetId: string;
  description: string;
  groupIds: readonly string[];
  /** The instance to which it is attached. */
  instanceId?: string;
}

export interface SeenNetworkInterfaces {
  /** Only read for deletion. */
  networkInterfaces: readonly ObservedNetworkInterface[];
}
