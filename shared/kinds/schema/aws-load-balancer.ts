import * as z from 'zod';
import { ingressRules, securityGroup } from './aws-network.ts';
import { flag, int64, keyedList, list, mapOf, options, struct, textMap } from './fields.ts';

const LOAD_BALANCER_NAME = '^[A-Za-z0-9]([A-Za-z0-9]{0,31}|[-A-Za-z0-9]{0,30}[A-Za-z0-9])$';

const texts = list(z.string());

const healthCheckTimes = {
  intervalSeconds: int64({ min: 5, max: 300 }),
  timeoutSeconds: int64({ min: 2, max: 120 }),
  thresholdCount: int64({ min: 2, max: 10 }),
  unhealthyThresholdCount: int64({ min: 2, max: 10 }),
};

const targetGroupIPType = z.enum(['ipv4', 'ipv6']);

/**
 * Upstream defaults `protocol` to TCP here. With a default inside a list item, every `kubectl apply` would send a
 * patch.
 */
const additionalListener = struct(
  { port: int64({ min: 1, max: 65535 }) },
  {
    protocol: z.enum(['TCP']),
    healthCheck: options({
      protocol: z.enum(['TCP', 'HTTP', 'HTTPS']),
      port: z.string(),
      path: z.string(),
      ...healthCheckTimes,
    }),
    targetGroupIPType,
  },
);

/**
 * A load balancer for the API server. Its type is defaulted at admission, because the defaults of primary and secondary
 * differ.
 */
export const loadBalancerSpec = options({
  name: z.string().max(32).regex(new RegExp(LOAD_BALANCER_NAME)),
  scheme: z.enum(['internet-facing', 'internal']),
  crossZoneLoadBalancing: flag,
  subnets: texts,
  healthCheckProtocol: z.enum(['TCP', 'SSL', 'HTTP', 'HTTPS', 'TLS', 'UDP']),
  healthCheck: options(healthCheckTimes),
  additionalSecurityGroups: texts,
  additionalListeners: keyedList(['port'], additionalListener),
  ingressRules,
  loadBalancerType: z.enum(['classic', 'elb', 'alb', 'nlb', 'disabled']),
  disableHostsRewrite: flag,
  preserveClientIP: flag,
  targetGroupIPType,
  dnsResolutionCheck: z.enum(['None', 'Enabled']),
});

const targetGroup = struct(
  {
    name: z.string().max(32),
    port: int64(),
    protocol: z.enum(['tcp', 'tls', 'udp', 'TCP', 'TLS', 'UDP']),
    vpcId: z.string(),
  },
  {
    targetGroupHealthCheck: options({
      protocol: z.string(),
      path: z.string(),
      port: z.string(),
      intervalSeconds: int64(),
      timeoutSeconds: int64(),
      thresholdCount: int64(),
      unhealthyThresholdCount: int64(),
    }),
    ipType: z.string(),
  },
);

const classicListener = struct(
  { protocol: z.string(), port: int64(), instanceProtocol: z.string(), instancePort: int64() },
  {},
);

const classicHealthCheck = struct(
  {
    target: z.string(),
    interval: int64(),
    timeout: int64(),
    healthyThreshold: int64(),
    unhealthyThreshold: int64(),
  },
  {},
);

/** A load balancer as observed in the account. */
const loadBalancer = options({
  arn: z.string(),
  name: z.string(),
  dnsName: z.string(),
  scheme: z.string(),
  availabilityZones: texts,
  subnetIds: texts,
  securityGroupIds: texts,
  listeners: list(classicListener),
  healthChecks: classicHealthCheck,
  attributes: options({ idleTimeout: int64(), crossZoneLoadBalancing: flag }),
  tags: textMap,
  elbListeners: list(struct({ protocol: z.string(), port: int64(), targetGroup }, {})),
  elbAttributes: textMap,
  loadBalancerType: z.enum(['classic', 'elb', 'alb', 'nlb']),
  loadBalancerIPAddressType: z.enum(['ipv4', 'dualstack', 'dualstack-without-public-ipv4']),
});

/** `AWSCluster.status.networkStatus`. */
export const networkStatus = options({
  securityGroups: mapOf(securityGroup),
  apiServerElb: loadBalancer,
  secondaryAPIServerELB: loadBalancer,
  natGatewaysIPs: texts,
});

export type LoadBalancerSpec = z.input<typeof loadBalancerSpec>;
export type LoadBalancerStatus = z.input<typeof loadBalancer>;
