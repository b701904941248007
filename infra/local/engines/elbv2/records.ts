/** The stored data of the simulated load balancing service. */
import type { LoadBalancerSchemeEnum, ProtocolEnum, TargetTypeEnum } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Timeline } from '../ec2/timeline.ts';

interface Named {
  readonly arn: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The order of creation, and the position in paginated answers. */
  readonly sequence: number;
  readonly tags: Map<string, string>;
}

export interface LoadBalancer extends Named {
  readonly name: string;
  readonly scheme: LoadBalancerSchemeEnum;
  readonly vpcId: string;
  readonly dnsName: string;
  subnets: readonly { readonly subnetId: string; readonly zone: string; readonly interfaceId: string }[];
  readonly timeline: Timeline<'provisioning' | 'active'>;
  readonly attributes: Map<string, string>;
  securityGroupIds: string[];
  ipAddressType: 'ipv4' | 'dualstack';
  /** The reason why its address could not be used, if so. */
  failure: string | undefined;
}

export interface HealthCheck {
  readonly protocol: ProtocolEnum;
  /** A port number, or `traffic-port` for the target's port. */
  readonly port: string;
  readonly path: string | undefined;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
  /** For HTTP and HTTPS: codes and ranges such as `200-399`. */
  readonly matcher: string | undefined;
}

export interface Target {
  readonly instanceId: string;
  readonly port: number;
  readonly registeredAt: number;
  health: 'initial' | 'healthy' | 'unhealthy';
  /** The number of consecutive health checks with the same result. */
  streak: { readonly passed: boolean; readonly count: number };
  /** Set by DeregisterTargets: until this time the target is draining, and afterwards it is gone. */
  drainedAt: number | undefined;
}

export interface TargetGroup extends Named {
  readonly name: string;
  readonly protocol: ProtocolEnum;
  readonly port: number;
  readonly vpcId: string;
  readonly targetType: TargetTypeEnum;
  readonly ipAddressType: 'ipv4' | 'ipv6';
  readonly attributes: Map<string, string>;
  readonly targets: Map<string, Target>;
  healthCheck: HealthCheck;
}

export interface ListenerTls {
  readonly certificateArn: string;
  readonly policy: string;
}

export interface Listener extends Named {
  readonly loadBalancerArn: string;
  readonly port: number;
  protocol: ProtocolEnum;
  /** Set for a listener that ends TLS. */
  tls: ListenerTls | undefined;
  targetGroupArn: string;
}
