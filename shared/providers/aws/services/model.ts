import type { Service } from '../../../plan/services/service.ts';
import type { Tags } from '../tags.ts';
import type { ServiceHealthCheck } from './health-check.ts';

/** The observed and the desired state of a Service's load balancer. Nothing here uses the SDK. */

type Attributes = Readonly<Record<string, string>>;

export interface Target {
  readonly instanceId: string;
  readonly port: number;
}

export interface DesiredGroup {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly check: ServiceHealthCheck;
}

export interface DesiredListener {
  readonly port: number;
  readonly protocol: string;
  readonly certificateArn?: string;
  /** Empty: AWS's default. */
  readonly sslPolicy?: string;
  readonly group: DesiredGroup;
}

export interface DesiredService {
  readonly type: 'network';
  readonly service: Service;
  readonly name: string;
  readonly isInternal: boolean;
  /** Entries of the annotation: ids, or values of the tag Name. Undefined: they are selected by their tags. */
  readonly subnets?: readonly string[];
  /** One for each subnet, if the annotation contains them. */
  readonly privateAddresses?: readonly string[];
  readonly tags: Tags;
  readonly attributes: Attributes;
  readonly listeners: readonly DesiredListener[];
  readonly groupAttributes: Attributes;
  readonly sourceRanges: readonly string[];
  readonly instanceIds: readonly string[];
}

export interface ObservedGroup {
  readonly arn: string;
  readonly name: string;
  readonly vpcId: string;
  readonly port: number;
  readonly tags: Tags;
  readonly check: ServiceHealthCheck;
  /** Load balancers with a listener that forwards to it. */
  readonly balancers: readonly string[];
  /** Without draining ones. Like the attributes, they are only read for a group of the Service's own. */
  readonly targets: readonly Target[];
  readonly attributes: Attributes;
}

export interface ObservedServiceListener {
  readonly arn: string;
  readonly port: number;
  readonly protocol: string;
  readonly groupArn: string;
  readonly certificateArn?: string;
  readonly sslPolicy?: string;
}

export interface ObservedServiceBalancer {
  readonly arn: string;
  readonly dnsName: string;
  /** `provisioning`, `active`, `active_impaired` or `failed`. */
  readonly state: string;
  readonly type: string;
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  readonly tags: Tags;
  readonly attributes: Attributes;
}

/** The existing resources with the names of one Service. */
export interface ObservedService {
  readonly balancer?: ObservedServiceBalancer;
  readonly listeners: readonly ObservedServiceListener[];
  /** The groups with the tags of the Service, and any others with a desired name. */
  readonly groups: readonly ObservedGroup[];
}

export type ServiceAction =
  | {
      type: 'CreateBalancer';
      name: string;
      isInternal: boolean;
      subnets: readonly { subnetId: string; privateAddress?: string }[];
      tags: Tags;
    }
  | { type: 'SetBalancerAttributes'; arn: string; attributes: Attributes }
  | { type: 'DeleteBalancer'; arn: string }
  | { type: 'CreateGroup'; group: DesiredGroup; vpcId: string; tags: Tags }
  | { type: 'SetGroupCheck'; arn: string; check: ServiceHealthCheck }
  | { type: 'SetGroupAttributes'; arn: string; attributes: Attributes }
  | { type: 'DeregisterTargets'; arn: string; targets: readonly Target[] }
  | { type: 'RegisterTargets'; arn: string; targets: readonly Target[] }
  | { type: 'DeleteGroup'; arn: string }
  | { type: 'CreateListener'; balancerArn: string; listener: DesiredListener; groupArn: string; tags: Tags }
  | { type: 'ModifyListener'; arn: string; listener: DesiredListener; groupArn: string }
  | { type: 'DeleteListener'; arn: string };
