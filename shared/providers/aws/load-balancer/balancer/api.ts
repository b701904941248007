import {
  CreateLoadBalancerCommand,
  DeleteLoadBalancerCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  type ElasticLoadBalancingV2Client,
  type LoadBalancer,
  ModifyLoadBalancerAttributesCommand,
  SetIpAddressTypeCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { fromTagList, toTagList } from '../../tags.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import { orAbsent } from '../lookup-api.ts';
import type { FoundLoadBalancer } from './model.ts';

type Attributes = Readonly<Record<string, string>>;

export interface BalancerReads {
  describeLoadBalancer(name: string): Promise<FoundLoadBalancer | undefined>;
  describeLoadBalancerAttributes(arn: string): Promise<Attributes>;
}

export interface BalancerWrites {
  /** `allocationIds`: the ids of its addresses, one for each subnet; without them, it gets Amazon's addresses. */
  createLoadBalancer(
    desired: DesiredLoadBalancing,
    allocationIds?: readonly string[],
  ): Promise<FoundLoadBalancer | undefined>;
  setLoadBalancerAttributes(arn: string, attributes: Attributes): Promise<void>;
  setIpAddressType(arn: string, ipAddressType: DesiredLoadBalancing['ipAddressType']): Promise<void>;
  /** Replaces the existing subnets. */
  setSubnets(arn: string, subnetIds: readonly string[]): Promise<void>;
  setSecurityGroups(arn: string, groupIds: readonly string[]): Promise<void>;
  deleteLoadBalancer(arn: string): Promise<void>;
}

export const toLoadBalancer = (found: LoadBalancer): FoundLoadBalancer => ({
  arn: found.LoadBalancerArn ?? '',
  name: found.LoadBalancerName ?? '',
  vpcId: found.VpcId ?? '',
  ...(found.DNSName ? { dnsName: found.DNSName } : {}),
  state: found.State?.Code ?? 'provisioning',
  ...(found.State?.Reason ? { stateReason: found.State.Reason } : {}),
  scheme: found.Scheme ?? '',
  type: found.Type ?? '',
  ipAddressType: found.IpAddressType ?? 'ipv4',
  zones: (found.AvailabilityZones ?? []).flatMap(({ ZoneName: zone, SubnetId: subnetId }) =>
    zone && subnetId ? [{ zone, subnetId }] : [],
  ),
  securityGroupIds: found.SecurityGroups ?? [],
});

export const balancerReads = (client: ElasticLoadBalancingV2Client): BalancerReads => ({
  describeLoadBalancer: (name) =>
    orAbsent(async () => {
      const { LoadBalancers } = await client.send(new DescribeLoadBalancersCommand({ Names: [name] }));
      const found = LoadBalancers?.[0];
      return found && toLoadBalancer(found);
    }),
  describeLoadBalancerAttributes: async (arn) => {
    const { Attributes } = await client.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn }));
    return fromTagList(Attributes);
  },
});

/** Existing addresses are specified together with their subnets. */
const placesOf = (subnetIds: readonly string[], allocationIds: readonly string[]) =>
  allocationIds.length > 0
    ? { SubnetMappings: subnetIds.map((SubnetId, index) => ({ SubnetId, AllocationId: allocationIds[index] })) }
    : { Subnets: [...subnetIds] };

export const balancerWrites = (client: ElasticLoadBalancingV2Client): BalancerWrites => ({
  createLoadBalancer: async (
    { name, scheme, ipAddressType, subnetIds, securityGroupIds, tags },
    allocationIds = [],
  ) => {
    const command = new CreateLoadBalancerCommand({
      Name: name,
      Type: 'network',
      Scheme: scheme,
      IpAddressType: ipAddressType,
      ...placesOf(subnetIds, allocationIds),
      SecurityGroups: [...securityGroupIds],
      Tags: toTagList(tags),
    });
    const [made] = (await client.send(command)).LoadBalancers ?? [];
    return made && toLoadBalancer(made);
  },
  setLoadBalancerAttributes: async (arn, attributes) => {
    const input = { LoadBalancerArn: arn, Attributes: toTagList(attributes) };
    await client.send(new ModifyLoadBalancerAttributesCommand(input));
  },
  setIpAddressType: async (arn, ipAddressType) => {
    await client.send(new SetIpAddressTypeCommand({ LoadBalancerArn: arn, IpAddressType: ipAddressType }));
  },
  setSubnets: async (arn, subnetIds) => {
    await client.send(new SetSubnetsCommand({ LoadBalancerArn: arn, Subnets: [...subnetIds] }));
  },
  setSecurityGroups: async (arn, groupIds) => {
    await client.send(new SetSecurityGroupsCommand({ LoadBalancerArn: arn, SecurityGroups: [...groupIds] }));
  },
  deleteLoadBalancer: async (arn) => {
    await client.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: arn }));
  },
});
