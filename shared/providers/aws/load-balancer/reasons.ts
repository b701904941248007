/**
 * The calls to Elastic Load Balancing, in words that follow "to". The keys follow `Successful` or `Failed` in the
 * reason of the event.
 */
export const BALANCING_CALLS = {
  CreateLoadBalancer: 'create a load balancer of the API',
  ConfigureLoadBalancerAttributes: 'change attributes of a load balancer of the API',
  SetLoadBalancerIpAddressType: 'change the IP address type of a load balancer of the API',
  SetLoadBalancerSubnets: 'change the subnets of a load balancer of the API',
  SetLoadBalancerSecurityGroups: 'change the security groups of a load balancer of the API',
  DeleteLoadBalancer: 'delete a load balancer',
  CreateListener: 'create a listener',
  ModifyListener: 'change a listener',
  DeleteListener: 'delete a listener',
  CreateTargetGroup: 'create a target group',
  ConfigureTargetGroupAttributes: 'change attributes of a target group',
  ConfigureTargetGroupHealthCheck: 'change the health check of a target group',
  DeleteTargetGroup: 'delete a target group',
  AddLoadBalancerTags: 'set tags of a resource of a load balancer',
  RemoveLoadBalancerTags: 'remove tags from a resource of a load balancer',
} as const;

export type BalancingCall = keyof typeof BALANCING_CALLS;
