import type { Tags } from '../../tags.ts';

type Attributes = Readonly<Record<string, string>>;

export interface FoundTargetGroup {
  arn: string;
  name: string;
  port: number;
  protocol: string;
  ipType: string;
  healthCheck: HealthCheck;
}

export interface ObservedTargetGroup extends FoundTargetGroup {
  tags: Tags;
  attributes: Attributes;
  /** Registered instances. Undefined until requested. */
  targets?: readonly string[];
}

export interface HealthCheck {
  protocol: string;
  port: string;
  /** For HTTP and HTTPS. */
  path?: string;
  intervalSeconds: number;
  timeoutSeconds: number;
  thresholdCount: number;
  unhealthyThresholdCount: number;
}

export interface DesiredTargetGroup {
  /** In order of preference. */
  names: readonly string[];
  /** The prefix of all its possible names, including those that upstream assigns. */
  prefix: string;
  port: number;
  ipType: 'ipv4' | 'ipv6';
  /**
   * An existing group with this family is kept: AWS cannot change it, and a new one has no healthy targets at first.
   */
  mayStay?: 'ipv4' | 'ipv6';
  healthCheck: HealthCheck;
  attributes: Attributes;
}

export type TargetGroupAction =
  | { type: 'CreateTargetGroup'; name: string; vpcId: string; group: DesiredTargetGroup; tags: Tags }
  | { type: 'SetTargetGroupAttributes'; arn: string; name: string; attributes: Attributes }
  | { type: 'SetHealthCheck'; arn: string; name: string; healthCheck: HealthCheck }
  | { type: 'DeleteTargetGroup'; arn: string; name: string };
