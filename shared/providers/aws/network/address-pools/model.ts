/** Pools that a person keeps: VPCs are numbered, and addresses allocated, from them. Nothing of them is changed. */

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
