/** What the simulated first generation of load balancing remembers: the load balancers that controllers make for Services. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import type { Ec2 } from '../ec2/state.ts';

export interface ClassicLoadBalancer {
  readonly name: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly scheme: string;
  readonly vpcId: string;
  readonly dnsName: string;
  readonly subnets: readonly { readonly subnetId: string; readonly zone: string; readonly interfaceId: string }[];
  readonly securityGroupIds: readonly string[];
  readonly listeners: readonly sdk.Listener[];
  readonly tags: Map<string, string>;
}

export interface ClassicElb {
  readonly ec2: Ec2;
  /** How long the interfaces of a deleted load balancer still hold its subnets and security groups. */
  readonly settings: { readonly loadBalancerReleaseMilliseconds: number };
  readonly loadBalancers: Map<string, ClassicLoadBalancer>;
  now(): number;
}

export const createClassicElb = (ec2: Ec2, settings: ClassicElb['settings']): ClassicElb => ({
  ec2,
  settings,
  loadBalancers: new Map(),
  now: () => ec2.place.clock.now().getTime(),
});
