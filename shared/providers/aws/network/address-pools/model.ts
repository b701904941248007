/**
 * Pools that a user maintains, from which VPCs get their ranges and addresses are allocated. They are never changed.
 */

export interface ObservedIpamPool {
  id: string;
  name?: string;
}

/** Undefined if not requested. */
export interface SeenPools {
  ipamPools?: readonly ObservedIpamPool[];
  /** Free addresses in the pool of spec.network.vpc.elasticIpPool; `none` if there is no such pool. */
  publicPool?: { free: number } | 'none';
}
