import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type {
  DesiredLoadBalancing,
  DesiredTargetGroup,
  FoundLoadBalancer,
  FoundTargetGroup,
  HealthCheck,
  ObservedListener,
} from '../plan/load-balancer/model.ts';
import type { Tags } from '../tags.ts';
import { elbv2Reads } from './elbv2-reads.ts';
import { elbv2Writes } from './elbv2-writes.ts';

type Attributes = Readonly<Record<string, string>>;

/** Errors are the SDK's; what is looked up by name and is not there is undefined. */
export interface Elbv2Reads {
  describeLoadBalancer(name: string): Promise<FoundLoadBalancer | undefined>;
  describeLoadBalancerAttributes(arn: string): Promise<Attributes>;
  describeListeners(loadBalancerArn: string): Promise<ObservedListener[]>;
  describeTargetGroup(name: string): Promise<FoundTargetGroup | undefined>;
  /** Those that a listener of the load balancer forwards to. */
  describeTargetGroupsOf(loadBalancerArn: string): Promise<FoundTargetGroup[]>;
  describeTargetGroupAttributes(arn: string): Promise<Attributes>;
  /** The instances that are registered, less those that are on their way out. */
  describeTargets(targetGroupArn: string): Promise<string[]>;
  /** By ARN; AWS answers for twenty in a call. */
  describeTags(arns: readonly string[]): Promise<ReadonlyMap<string, Tags>>;
}

/**
 * All of them may be repeated: names are unique in a region, and what is gone already is deleted. Creations tell what
 * there is now, where the answer says so.
 */
export interface Elbv2Writes {
  /** `allocationIds`: of the addresses that it is to have, one for each subnet; none for Amazon's own. */
  createLoadBalancer(
    desired: DesiredLoadBalancing,
    allocationIds?: readonly string[],
  ): Promise<FoundLoadBalancer | undefined>;
  setLoadBalancerAttributes(arn: string, attributes: Attributes): Promise<void>;
  setIpAddressType(arn: string, ipAddressType: DesiredLoadBalancing['ipAddressType']): Promise<void>;
  /** They take the place of the subnets that there were. */
  setSubnets(arn: string, subnetIds: readonly string[]): Promise<void>;
  setSecurityGroups(arn: string, groupIds: readonly string[]): Promise<void>;
  createTargetGroup(input: {
    name: string;
    vpcId: string;
    group: DesiredTargetGroup;
    tags: Tags;
  }): Promise<FoundTargetGroup | undefined>;
  setTargetGroupAttributes(arn: string, attributes: Attributes): Promise<void>;
  setHealthCheck(arn: string, healthCheck: HealthCheck): Promise<void>;
  /** False where the instance does not run, or is in another VPC. */
  registerTarget(group: { arn: string; port: number }, instanceId: string): Promise<boolean>;
  createListener(input: {
    loadBalancerArn: string;
    port: number;
    targetGroupArn: string;
    tags: Tags;
  }): Promise<ObservedListener | undefined>;
  setListener(arn: string, targetGroupArn: string): Promise<void>;
  deleteListener(arn: string): Promise<void>;
  addTags(arns: readonly string[], tags: Tags): Promise<void>;
  removeTags(arns: readonly string[], keys: readonly string[]): Promise<void>;
  deleteLoadBalancer(arn: string): Promise<void>;
  deleteTargetGroup(arn: string): Promise<void>;
}

/** The part of ELBv2 that the API's load balancers are made of. */
export interface Elbv2 extends Elbv2Reads, Elbv2Writes {}

/** The port over an SDK client, which may retry as it likes. */
export const createElbv2 = (client: ElasticLoadBalancingV2Client): Elbv2 => ({
  ...elbv2Reads(client),
  ...elbv2Writes(client),
});
