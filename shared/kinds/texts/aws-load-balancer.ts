import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { ingressRuleFields } from './aws-network.ts';

/** Texts of the load balancers of an API server, desired and observed. */

const healthCheckTimes = {
  intervalSeconds: 'Seconds between two checks of a machine, 5 to 300. Defaults to 5.',
  timeoutSeconds:
    'Seconds after which a check without an answer has failed, 2 to 120, and not more than intervalSeconds (with a classic load balancer less, and at most 60). Defaults to 4.',
  thresholdCount: 'Successful checks in a row after which a machine counts as healthy, 2 to 10. Defaults to 2.',
  unhealthyThresholdCount: 'Failed checks in a row after which a machine counts as unhealthy, 2 to 10. Defaults to 6.',
} satisfies FieldTexts;

const targetGroupIPType =
  'Address family that machines are reached by: ipv4 or ipv6. Defaults to ipv6 if all private subnets have it, otherwise to ipv4; cannot be changed, nor set for a classic load balancer.';

const sharedFields = {
  crossZoneLoadBalancing:
    'Whether traffic is spread over the machines of all zones rather than those of the zone that it arrives in. Defaults to false.',
  subnets:
    'Subnets of the load balancer, by ID or by their name in spec.network.subnets. Defaults to one in each zone: public ones if it is internet-facing, private ones if it is internal.',
  healthCheckProtocol:
    'Protocol of the health check on port 6443: TCP, HTTP or HTTPS (which request /readyz), or SSL for a classic load balancer; TLS and UDP are refused. Defaults to TCP, and only a classic load balancer accepts a change.',
  healthCheck: ['Timing of the health check of the API servers.', healthCheckTimes],
  additionalSecurityGroups: "IDs of security groups in addition to the cluster's own group for the load balancer.",
  additionalListeners: [
    'Further ports to forward to the control plane machines. Only network load balancers have them.',
    {
      port: "Port to listen on and to forward to, 1 to 65535; not the API's own.",
      protocol: 'Protocol of the listener. Only TCP, which is the default, is supported.',
      healthCheck: [
        'Health check of the machines on that port.',
        {
          protocol: 'Protocol of the health check: TCP, HTTP or HTTPS. Defaults to TCP.',
          port: "Port that is checked. Defaults to the listener's.",
          path: 'Path of the request, with HTTP and HTTPS. Defaults to /.',
          ...healthCheckTimes,
        },
      ],
      targetGroupIPType:
        'Address family that machines are reached by on this port: ipv4 or ipv6. Defaults to ipv6 if all private subnets have it, otherwise to ipv4.',
    },
  ],
  ingressRules: [
    'Who may reach the load balancer. Without any rule, the API port is open to everyone.',
    ingressRuleFields,
  ],
  disableHostsRewrite:
    'Stored and not acted on. /etc/hosts maps the endpoint to the machine itself while kubeadm init runs, and permanently with preserveClientIP.',
  preserveClientIP:
    "Whether API servers see clients' own addresses, which opens port 6443 of the control plane machines to everyone. Defaults to false; a classic load balancer ignores it.",
  targetGroupIPType,
  dnsResolutionCheck:
    'Whether the DNS name must resolve before the endpoint is published: Enabled or None. Defaults to None, unlike upstream; read for the first load balancer only.',
} satisfies FieldTexts;

/** `spec.controlPlaneLoadBalancer`. */
export const loadBalancerSpecFields = {
  ...sharedFields,
  name: 'Name of the load balancer, unique in the region, at most 32 characters. Defaults to a name derived from those of the namespace and the cluster; immutable.',
  scheme:
    'Whether the load balancer has public addresses: internet-facing or internal. Defaults to internet-facing; immutable.',
  loadBalancerType:
    'Type of the load balancer: nlb, classic (deprecated) or disabled, which means that you run your own. Defaults to nlb, unlike upstream; alb and elb are refused.',
} satisfies FieldTexts;

/** `spec.secondaryControlPlaneLoadBalancer`. */
export const secondaryLoadBalancerSpecFields = {
  ...sharedFields,
  name: 'Name of the load balancer, unique in the region, at most 32 characters. Required, different from the first one, and immutable.',
  scheme:
    "Whether the load balancer has public addresses: internet-facing or internal. Defaults to internal; immutable, and never the first one's.",
  loadBalancerType: 'Type of the load balancer. Must be nlb, which is the default.',
} satisfies FieldTexts;

const targetGroupFields = {
  name: 'Name of the target group.',
  port: 'Port of the machines that traffic is forwarded to.',
  protocol: 'Protocol that traffic is forwarded with.',
  vpcId: 'VPC of the target group.',
  targetGroupHealthCheck: [
    'Health check of the targets.',
    {
      protocol: 'Protocol of the health check.',
      path: 'Path that HTTP and HTTPS checks request.',
      port: 'Port that is checked.',
      intervalSeconds: 'Seconds between two checks.',
      timeoutSeconds: 'Seconds after which a check has failed.',
      thresholdCount: 'Successful checks in a row that make a target healthy.',
      unhealthyThresholdCount: 'Failed checks in a row that make a target unhealthy.',
    },
  ],
  ipType: 'Address family of the targets: ipv4 or ipv6.',
} satisfies FieldTexts;

const classicFields = {
  listeners: [
    'Listeners of a classic load balancer.',
    {
      protocol: 'Protocol that clients use.',
      port: 'Port that clients use.',
      instanceProtocol: 'Protocol that traffic is forwarded with.',
      instancePort: 'Port of the machines that traffic is forwarded to.',
    },
  ],
  healthChecks: [
    'Health check of a classic load balancer.',
    {
      target: 'What is checked on each machine, such as TCP:6443 or HTTPS:6443/readyz.',
      interval: 'Time between two checks, in nanoseconds.',
      timeout: 'Time after which a check has failed, in nanoseconds.',
      healthyThreshold: 'Successful checks in a row that make a machine healthy.',
      unhealthyThreshold: 'Failed checks in a row that make a machine unhealthy.',
    },
  ],
  attributes: [
    'Attributes of a classic load balancer.',
    {
      idleTimeout: 'Time after which a quiet connection is closed, in nanoseconds.',
      crossZoneLoadBalancing: 'Whether traffic is spread over the machines of all zones.',
    },
  ],
} satisfies FieldTexts;

/** A load balancer in `status.networkStatus`. */
export const loadBalancerStatusFields = {
  ...classicFields,
  arn: 'ARN of the load balancer. Classic load balancers have none.',
  name: 'Name of the load balancer in AWS.',
  dnsName: 'DNS name that AWS gave the load balancer. If you use your own DNS name, point it there.',
  scheme: 'Whether the load balancer has public addresses: internet-facing or internal.',
  availabilityZones: 'Availability zones of the load balancer.',
  subnetIds: 'IDs of the subnets of the load balancer.',
  securityGroupIds: 'IDs of the security groups of the load balancer.',
  tags: 'Tags that the controllers keep on the load balancer.',
  elbListeners: [
    'Listeners of a network load balancer.',
    {
      protocol: 'Protocol that clients use.',
      port: 'Port that clients use.',
      targetGroup: ['Machines that the listener forwards to.', targetGroupFields],
    },
  ],
  elbAttributes: 'Attributes of a network load balancer, by the keys of Elastic Load Balancing.',
  loadBalancerType: 'Type of the load balancer: nlb or classic.',
  loadBalancerIPAddressType: 'Address families that clients can use: ipv4 or dualstack.',
} satisfies FieldTexts;
