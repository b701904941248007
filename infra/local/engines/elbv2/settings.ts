export interface ElbQuotas {
  networkLoadBalancers: number;
  classicLoadBalancers: number;
  targetGroups: number;
  listenersPerLoadBalancer: number;
}

/** How the simulated load balancers behave. Durations are milliseconds on the account's clock. */
export interface ElbSettings {
  /** The time from CreateLoadBalancer to `active`. */
  loadBalancerMilliseconds: number;
  /** The time for which the interfaces of a deleted load balancer still occupy its subnets and security groups. */
  loadBalancerReleaseMilliseconds: number;
  /** A factor for health check intervals and deregistration delays, so that a laptop need not wait; 1 is real time. */
  elbTimeScale: number;
  /**
   * The time from RegisterTargets until a network load balancer sends traffic to a new target; on AWS, 180 to 300
   * seconds. Until then, connections are reset, while on AWS they time out.
   */
  targetServingMilliseconds: number;
  elbQuotas: ElbQuotas;
}

/** The quotas are AWS's defaults, raised if one load balancer per cluster would reach them. */
export const defaultElbSettings = (): ElbSettings => ({
  loadBalancerMilliseconds: 500,
  loadBalancerReleaseMilliseconds: 200,
  elbTimeScale: 0.02,
  targetServingMilliseconds: 0,
  elbQuotas: { networkLoadBalancers: 500, classicLoadBalancers: 500, targetGroups: 3000, listenersPerLoadBalancer: 50 },
});
