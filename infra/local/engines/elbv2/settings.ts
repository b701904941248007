export interface ElbQuotas {
  networkLoadBalancers: number;
  classicLoadBalancers: number;
  targetGroups: number;
  listenersPerLoadBalancer: number;
}

/** How the simulated load balancers behave. Durations are milliseconds on the account's clock. */
export interface ElbSettings {
  /** From CreateLoadBalancer to `active`. */
  loadBalancerMilliseconds: number;
  /** How long the interfaces of a deleted load balancer still hold its subnets and security groups. */
  loadBalancerReleaseMilliseconds: number;
  /**
   * Health check intervals and deregistration delays are multiplied by it, so that a laptop need not wait; 1 is real
   * time.
   */
  elbTimeScale: number;
  /**
   * From RegisterTargets until a network load balancer sends anything to a new target; on AWS 180 to 300 seconds. Until
   * then connections are reset, where on AWS they time out.
   */
  targetServingMilliseconds: number;
  elbQuotas: ElbQuotas;
}

/** Quotas are AWS's defaults, raised where one load balancer per cluster would meet them. */
export const defaultElbSettings = (): ElbSettings => ({
  loadBalancerMilliseconds: 500,
  loadBalancerReleaseMilliseconds: 200,
  elbTimeScale: 0.02,
  targetServingMilliseconds: 0,
  elbQuotas: { networkLoadBalancers: 500, classicLoadBalancers: 500, targetGroups: 3000, listenersPerLoadBalancer: 50 },
});
