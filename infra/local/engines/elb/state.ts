/** The state of the simulated first generation of load balancing. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import type { Ec2 } from '../ec2/state.ts';
import type { LoopbackAddresses } from '../elbv2/loopback.ts';
import type { ElbSettings } from '../elbv2/settings.ts';
import { createElb, type Elb } from '../elbv2/state.ts';
import { AwsFault } from '../wire/fault.ts';

export interface ClassicLoadBalancer {
  readonly name: string;
  /** IAM's ARN; its forwarder also has this name. */
  readonly arn: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly scheme: string;
  readonly vpcId: string;
  readonly dnsName: string;
  subnets: readonly { readonly subnetId: string; readonly zone: string; readonly interfaceId: string }[];
  securityGroupIds: readonly string[];
  /** Listeners by the load balancer's port. */
  readonly listeners: Map<number, sdk.Listener>;
  readonly instances: Set<string>;
  healthCheck: sdk.HealthCheck;
  attributes: {
    crossZone: boolean;
    idleTimeout: number;
    draining?: sdk.ConnectionDraining | undefined;
    accessLog?: sdk.AccessLog | undefined;
  };
  readonly tags: Map<string, string>;
}

export interface ClassicPolicies {
  readonly byName: Map<string, { readonly type: string; readonly attributes: readonly sdk.PolicyAttribute[] }>;
  /** Names by the load balancer's port. */
  readonly ofListeners: Map<number, readonly string[]>;
  /** Names by the instances' port. */
  readonly ofBackends: Map<number, readonly string[]>;
}

export interface ClassicElb {
  readonly ec2: Ec2;
  readonly settings: ElbSettings;
  readonly loopback: LoopbackAddresses;
  readonly loadBalancers: Map<string, ClassicLoadBalancer>;
  /** By the load balancer's ARN. */
  readonly policies: Map<string, ClassicPolicies>;
  /** Forwards connections and checks health: a state of the second generation that no AWS call shows. */
  readonly path: Elb;
  now(): number;
  nextSequence(): number;
}

export const createClassicElb = (ec2: Ec2, settings: ElbSettings, loopback: LoopbackAddresses): ClassicElb => {
  const path = createElb(ec2.place, settings, ec2, loopback);
  const { now, nextSequence } = path;
  return { ec2, settings, loopback, loadBalancers: new Map(), policies: new Map(), path, now, nextSequence };
};

export const find = (elb: ClassicElb, name: string | undefined): ClassicLoadBalancer => {
  const found = elb.loadBalancers.get(name ?? '');
  if (!found) throw new AwsFault('LoadBalancerNotFound', `There is no ACTIVE Load Balancer named '${name}'`);
  return found;
};
