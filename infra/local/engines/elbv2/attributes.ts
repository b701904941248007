/** Attributes of network load balancers and their target groups, with AWS's defaults. */
import type { LoadBalancerAttribute, TargetGroupAttribute } from '@aws-sdk/client-elastic-load-balancing-v2';
import { AwsFault } from '../wire/fault.ts';

export const loadBalancerAttributes = (): Map<string, string> =>
  new Map([
    ['access_logs.s3.enabled', 'false'],
    ['access_logs.s3.bucket', ''],
    ['access_logs.s3.prefix', ''],
    ['deletion_protection.enabled', 'false'],
    ['dns_record.client_routing_policy', 'any_availability_zone'],
    ['ipv6.deny_all_igw_traffic', 'false'],
    ['load_balancing.cross_zone.enabled', 'false'],
    ['secondary_ips.auto_assigned.per_subnet', '0'],
    ['zonal_shift.config.enabled', 'false'],
  ]);

export const targetGroupAttributes = (): Map<string, string> =>
  new Map([
    ['deregistration_delay.connection_termination.enabled', 'false'],
    ['deregistration_delay.timeout_seconds', '300'],
    ['load_balancing.cross_zone.enabled', 'use_load_balancer_configuration'],
    ['preserve_client_ip.enabled', 'true'],
    ['proxy_protocol_v2.enabled', 'false'],
    ['stickiness.enabled', 'false'],
    ['stickiness.type', 'source_ip'],
    ['target_group_health.dns_failover.minimum_healthy_targets.count', '1'],
    ['target_group_health.dns_failover.minimum_healthy_targets.percentage', 'off'],
    ['target_group_health.unhealthy_state_routing.minimum_healthy_targets.count', '1'],
    ['target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage', 'off'],
    ['target_health_state.unhealthy.connection_termination.enabled', 'true'],
    ['target_health_state.unhealthy.draining_interval_seconds', '0'],
  ]);

type Attribute = LoadBalancerAttribute | TargetGroupAttribute;

/** Sets attributes, all or none. Throws for an unknown attribute. */
export const setAttributes = (of: Map<string, string>, wanted: readonly Attribute[] | undefined): void => {
  for (const { Key = '' } of wanted ?? [])
    if (!of.has(Key)) throw new AwsFault('InvalidConfigurationRequest', `The attribute key '${Key}' is not recognized`);
  for (const { Key = '', Value = '' } of wanted ?? []) of.set(Key, Value);
};

export const attributeList = (of: ReadonlyMap<string, string>): { Key: string; Value: string }[] =>
  [...of].map(([Key, Value]) => ({ Key, Value }));
