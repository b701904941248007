import type { MutatingCalls } from './mutating-call.ts';

const WRITES = ['shared/providers/aws/services/writes-api.ts'];
const CLASSIC = ['shared/providers/aws/services/classic/writes-api.ts'];

/** The calls for load balancers of Services. */
export const SERVICE_CALLS: readonly MutatingCalls[] = [
  {
    proof: 'created',
    by: 'the tags of the cluster and the Service go into the call; IAM demands them; one that exists is believed only by its tags (isOfService)',
    calls: {
      'elastic-load-balancing-v2:CreateLoadBalancer': WRITES,
      'elastic-load-balancing-v2:CreateTargetGroup': WRITES,
      'elastic-load-balancing:CreateLoadBalancer': CLASSIC,
    },
  },
  {
    proof: 'described',
    by: 'a load balancer, its listeners and target groups, which isOfService proves to be this Service’s of this cluster (planService, planServiceRemoval); targets are instances that isClustersInstance proves to be the cluster’s (readFacts)',
    calls: {
      'elastic-load-balancing-v2:CreateListener': WRITES,
      'elastic-load-balancing-v2:DeleteListener': WRITES,
      'elastic-load-balancing-v2:DeleteLoadBalancer': WRITES,
      'elastic-load-balancing-v2:DeleteTargetGroup': WRITES,
      'elastic-load-balancing-v2:DeregisterTargets': WRITES,
      'elastic-load-balancing-v2:ModifyListener': WRITES,
      'elastic-load-balancing-v2:ModifyLoadBalancerAttributes': WRITES,
      'elastic-load-balancing-v2:ModifyTargetGroup': WRITES,
      'elastic-load-balancing-v2:ModifyTargetGroupAttributes': WRITES,
      'elastic-load-balancing-v2:RegisterTargets': WRITES,
    },
  },
  {
    proof: 'described',
    by: 'a classic load balancer that isOfService proves to be this Service’s of this cluster (planClassic, planClassicRemoval); instances as above',
    calls: {
      'elastic-load-balancing:AddTags': CLASSIC,
      'elastic-load-balancing:ApplySecurityGroupsToLoadBalancer': CLASSIC,
      'elastic-load-balancing:AttachLoadBalancerToSubnets': CLASSIC,
      'elastic-load-balancing:ConfigureHealthCheck': CLASSIC,
      'elastic-load-balancing:CreateLoadBalancerListeners': CLASSIC,
      'elastic-load-balancing:CreateLoadBalancerPolicy': CLASSIC,
      'elastic-load-balancing:DeleteLoadBalancer': CLASSIC,
      'elastic-load-balancing:DeleteLoadBalancerListeners': CLASSIC,
      'elastic-load-balancing:DeregisterInstancesFromLoadBalancer': CLASSIC,
      'elastic-load-balancing:DetachLoadBalancerFromSubnets': CLASSIC,
      'elastic-load-balancing:ModifyLoadBalancerAttributes': CLASSIC,
      'elastic-load-balancing:RegisterInstancesWithLoadBalancer': CLASSIC,
      'elastic-load-balancing:SetLoadBalancerPoliciesForBackendServer': CLASSIC,
      'elastic-load-balancing:SetLoadBalancerPoliciesOfListener': CLASSIC,
    },
  },
];
